import { readDate } from '../base/dates.ts'
import { httpErrors } from './errors.ts'

const DAY_OR_INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** A query parameter that bounds a time, in UTC; a day means its beginning. */
export function instantParameter(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = DAY_OR_INSTANT.exec(text)?.[1]
  if (day !== undefined && readDate(day).ok) return new Date(text).toISOString()
  const detail = `"${name}" must be an instant such as 2026-11-30T12:00:00Z or a date.`
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: `/query/${name}`, code: 'WRONG_FORMAT', detail }],
  })
}
