/** Chance that is the same on every run and every machine: whole numbers only, no logarithms. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(percent: number): boolean
  /** The place of one of the weights, the heavier the likelier. */
  weighted(weights: readonly number[]): number
}

/** What the dice are thrown for: two things of the same number do not share their luck. */
export const THROWS = { deal: 1, partner: 2, party: 3, contract: 4 } as const

/** Each item has dice of its own, so that it comes out the same whatever was made before it. */
export function diceOf(seed: number, thrown: keyof typeof THROWS, index: number): Dice {
  let state = mixed(mixed(mixed(seed) ^ THROWS[thrown]) ^ index)
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    return mixed(state) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    chance: (percent) => next() * 100 < percent,
    weighted: (weights) => {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [place, weight] of weights.entries()) {
        left -= weight
        if (left < 0) return place
      }
      return weights.length - 1
    },
  }
}

/** Spreads neighbouring numbers over all 32 bits. */
function mixed(value: number): number {
  let bits = value >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
