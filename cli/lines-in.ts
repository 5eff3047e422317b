import { createReadStream } from 'node:fs'

const STANDARD_INPUT = '-'

/** Lines of a file of any size. Only a line feed ends one: JSON may hold every other separator. */
export async function* linesIn(path: string): AsyncIterable<string> {
  const source = path === STANDARD_INPUT ? process.stdin : createReadStream(path)
  source.setEncoding('utf8')
  let rest = ''
  for await (const chunk of source as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
