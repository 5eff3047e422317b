/** The document with another value at a JSON pointer; undefined takes the member away. */
export function withValue<Document>(document: Document, pointer: string, value: unknown): Document {
  const [, name, ...rest] = pointer.split('/')
  if (name === undefined) return value as Document
  const members = { ...(document as Record<string, unknown>) }
  const path = rest.map((part) => `/${part}`).join('')
  if (path === '' && value === undefined) delete members[name]
  else members[name] = withValue(members[name], path, value)
  return members as Document
}
