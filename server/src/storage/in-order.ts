/** Each piece of work starts when the one given before it has ended, well or badly. */
export function inOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    // The failure is the giver's to hear; the next in line only waits for the end.
    last = result.catch(() => undefined)
    return result
  }
}
