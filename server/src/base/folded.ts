/** Case and width do not make another name: for comparing persons and for finding by prefix. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
