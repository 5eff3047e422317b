/** Keycloak fills `${NAME}` from its environment on import; its own texts are named likewise. */
export function placeholder(name: string): string {
  return `\${${name}}`
}
