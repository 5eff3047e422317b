import { codesOf } from '../access/permissions.ts'
import { IDENTITY_ONLY, type Route } from './route.ts'

/** The resource that an operation is about, as people call it: `Contracts`, `Approvals`. */
export function tagOf({ path }: Route): string {
  const segment = path.replace(/^\/my\//, '/').split('/')[1] ?? ''
  return segment.charAt(0).toUpperCase() + segment.slice(1)
}

/** What a reader must know before calling, since few pages show extensions. */
export function guardTextOf({ permission, fourEyes }: Route): string {
  const needed =
    permission === IDENTITY_ONLY
      ? 'Needs identity alone.'
      : `Needs the permission ${codesOf(permission)
          .map((code) => `\`${code}\``)
          .join(' or ')}.`
  return fourEyes ? `${needed} Four-eyes: nobody who prepared the item can do this.` : needed
}
