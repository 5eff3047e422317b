import type { Problem } from '../base/errors.ts'
import { httpErrors } from '../http/errors.ts'

/** 422 about one place of the body. */
export function ruleViolated(pointer: string, code: string, detail: string): Problem {
  return httpErrors.RULE_VIOLATED(detail, { errors: [{ pointer, code, detail }] })
}
