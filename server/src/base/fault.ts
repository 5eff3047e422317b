/** What is wrong with one value, in a sentence that says what to do; the caller knows its place. */
export interface Fault<Code extends string = string> {
  readonly code: Code
  readonly detail: string
}

/** A value that was read, or the reason why it could not be. */
export type Outcome<Value, Reason extends Fault = Fault> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Reason }

export function accepted<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function refused<Reason extends Fault>(
  fault: Reason,
): { readonly ok: false; readonly fault: Reason } {
  return { ok: false, fault }
}
