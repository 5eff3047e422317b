import { shortDigest } from '../base/digest.ts'
import { httpErrors } from './errors.ts'

const DIGEST_CHARACTERS = 8

/** The version alone is not enough: the same version reads differently for two callers. */
export function etagOf(version: number, body: string): string {
  return `"${version}.${shortDigest(body, DIGEST_CHARACTERS)}"`
}

export function isUnchanged(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

const VERSION_TAG = /^(?:W\/)?"(\d{1,9})(?:\.[0-9a-f]{8})?"$/

export type StatedVersions = readonly number[] | '*'

/** The versions that If-Match allows; `*` allows any. Undefined: the header was not sent. */
export function statedVersions(ifMatch: string | undefined): StatedVersions | undefined {
  if (ifMatch === undefined) return undefined
  if (ifMatch.trim() === '*') return '*'
  return ifMatch.split(',').map((tag) => {
    const version = VERSION_TAG.exec(tag.trim())?.[1]
    if (version !== undefined) return Number(version)
    const detail = 'If-Match must be the ETag that was read, "<version>" or *.'
    throw httpErrors.VALIDATION_FAILED(detail, {
      errors: [{ pointer: '/header/if-match', code: 'WRONG_FORMAT', detail }],
    })
  })
}

export function requireVersion(
  stated: StatedVersions | undefined,
  version: number,
): number | undefined {
  if (stated === undefined || stated === '*') return undefined
  if (stated.includes(version)) return version
  throw httpErrors.VERSION_CONFLICT(
    `You saw version ${stated.join(', ')}, but it is at version ${version} now. Read it again and decide anew.`,
    { version },
  )
}
