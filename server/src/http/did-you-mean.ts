const FARTHEST = 3

/** The nearest of some names, when it is near enough to be a typing error. */
export function didYouMean(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(FARTHEST, Math.floor(name.length / 2)) + 1
  for (const candidate of names) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein, one row at a time. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > FARTHEST) return FARTHEST + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
