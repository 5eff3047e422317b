import { codesOf, type PermissionMeanings } from '../server/src/access/permissions.ts'
import type { ErrorKind } from '../server/src/base/errors.ts'
import { errorsOf } from '../server/src/http/openapi.ts'
import { API_PREFIX, IDENTITY_ONLY, type Route } from '../server/src/http/route.ts'

const MADE = 'Made by `npm run generate` from the code; edit the code, not this page.'

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

export function errorsReference(errors: readonly ErrorKind[]): string {
  return `# Errors

${MADE}

Every answer from status 400 on is \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`,
\`detail\`, \`instance\`, \`code\`, \`requestId\`, and \`errors[]\` (\`pointer\`, \`code\`, \`detail\`) where single values
are at fault. \`detail\` says what happened and what to do.

${table(
  ['Status', 'Code', 'Title', 'When'],
  errors.map(({ status, code, title, when }) => [String(status), `\`${code}\``, title, when]),
)}
`
}

export function permissionsReference(
  meanings: PermissionMeanings,
  routes: readonly Route[],
): string {
  return `# Permissions

${MADE}

A permission is a realm role of the identity provider, written \`<resource>:<action>\`. The API reads them from
\`realm_access.roles\` and from nowhere else. Codes are only ever added. No code and no role skips four-eyes.

${table(
  ['Code', 'Meaning', 'Opens'],
  Object.entries(meanings).map(([code, meaning]) => [
    `\`${code}\``,
    meaning,
    routes
      .filter((route) => isOpenedBy(route, code))
      .map(callOf)
      .join('<br>') || '–',
  ]),
)}

Without a permission, because they describe the API itself: ${routes
    .filter(({ permission }) => permission === IDENTITY_ONLY)
    .map(callOf)
    .join(', ')} (identity needed), and the OpenAPI documents (public).
`
}

function isOpenedBy({ permission }: Route, code: string): boolean {
  return permission !== IDENTITY_ONLY && (codesOf(permission) as readonly string[]).includes(code)
}

function callOf({ method, path }: Route): string {
  return `\`${method} ${API_PREFIX}${path.replace(/:([^/]+)/g, '{$1}')}\``
}

export function operationsReference(routes: readonly Route[]): string {
  return `# Operations

${MADE}

${routes.map(operationOf).join('\n\n')}
`
}

function operationOf(route: Route): string {
  const permission =
    route.permission === IDENTITY_ONLY
      ? 'none, identity alone'
      : codesOf(route.permission)
          .map((code) => `\`${code}\``)
          .join(' or ')
  return `## ${route.id}

${callOf(route)} · ${route.surface} surface${route.fourEyes ? ' · **four-eyes**' : ''}

${route.summary}

Permission: ${permission}. Answers ${route.status}, or one of ${errorsOf(route)
    .map(({ code }) => `\`${code}\``)
    .join(', ')}.`
}
