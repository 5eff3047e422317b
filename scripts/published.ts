import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_PREFIX } from '../server/src/http/route.ts'
import { allRoutes, permissionCatalogue } from '../server/src/surfaces.ts'

export const PUBLISHED_FILE = 'docs/reference/published.json'

/** What clients may rely on: it only ever grows. */
export interface Published {
  readonly operations: Readonly<Record<string, string>>
  readonly permissions: readonly string[]
}

export function currentlyPublished(): Published {
  return {
    operations: Object.fromEntries(
      allRoutes.map(({ id, method, path }) => [id, `${method} ${API_PREFIX}${path}`]),
    ),
    permissions: Object.keys(permissionCatalogue),
  }
}

export function publishedIn(root: string): Published {
  const file = join(root, PUBLISHED_FILE)
  if (!existsSync(file)) return { operations: {}, permissions: [] }
  return JSON.parse(readFileSync(file, 'utf8')) as Published
}

/** New ones join, old ones stay: only a hand and a reason take something away. */
export function publishedText(root: string): string {
  const [before, now] = [publishedIn(root), currentlyPublished()]
  const operations = { ...now.operations, ...before.operations }
  return `${JSON.stringify(
    {
      operations: Object.fromEntries(
        Object.entries(operations).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      permissions: [...new Set([...before.permissions, ...now.permissions])].sort(),
    },
    null,
    2,
  )}\n`
}
