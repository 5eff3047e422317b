const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Case, width, blanks at the ends and letters that nobody sees do not make another name: for
 * comparing persons and for finding by prefix. Upper case first, so that ß meets SS and ς meets Σ.
 */
export function folded(text: string): string {
  const kept = text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
  // A name of which nothing can be seen is still a name.
  return kept === '' ? text : kept
}
