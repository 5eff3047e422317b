/** Ends the reading of a setting: `refuse('is not a whole number')`. */
export type Refuse = (fault: string) => never

/** How the text of a setting becomes a value, and how the reference says what is allowed. */
export interface Kind<Value> {
  readonly allowed: string
  readonly parse: (text: string, refuse: Refuse) => Value
  /** Set by others for their own purposes: a blank or padded text is no fault. */
  readonly foreign?: true
}

/** Items of a comma separated list; blanks around a comma do not count. */
export function itemsOf(text: string, refuse: Refuse): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.includes('')) refuse('has an empty item')
  return [...new Set(items)]
}
