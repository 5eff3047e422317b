/** `<resource>:<action>`, as the realm roles are written (spec 5.5.1). */
export type PermissionCode = `${string}:${string}`

export type PermissionMeanings = Readonly<Record<PermissionCode, string>>

/** One code, or any one of several. */
export type Permission = PermissionCode | readonly [PermissionCode, ...PermissionCode[]]

export function codesOf(permission: Permission): readonly PermissionCode[] {
  return typeof permission === 'string' ? [permission] : permission
}

export function isPermitted(held: ReadonlySet<string>, permission: Permission): boolean {
  if (typeof permission === 'string') return held.has(permission)
  return permission.some((code) => held.has(code))
}

/** Marks partner staff; opens nothing. */
export const PARTNER_STAFF: PermissionCode = 'scope:partner'

export const accessPermissions = {
  [PARTNER_STAFF]:
    'Opens nothing: marks partner staff, whose every request is refused while no partnerId comes with it.',
} satisfies PermissionMeanings
