import { readDate } from '../base/dates.ts'
import { httpErrors } from '../http/errors.ts'

export function requireDay(pointer: string, text: string): void {
  const day = readDate(text)
  if (day.ok) return
  throw httpErrors.VALIDATION_FAILED(day.fault.detail, { errors: [{ pointer, ...day.fault }] })
}
