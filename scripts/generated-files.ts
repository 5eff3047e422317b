import { realmFiles } from '../deploy/keycloak/generate.ts'
import { differencesReference } from '../e2e/keycloak/compared/reference.ts'
import { settingsReference } from '../server/src/config.ts'
import { openapiOf } from '../server/src/http/openapi.ts'
import type { Surface } from '../server/src/http/route.ts'
import { allRoutes, errorCatalogue, permissionCatalogue } from '../server/src/surfaces.ts'
import { PUBLISHED_FILE, publishedText } from './published.ts'
import { errorsReference, operationsReference, permissionsReference } from './references.ts'
import { clauses } from './spec/clauses.ts'
import { specPage } from './spec/page.ts'
import { proofsIn } from './spec/proofs.ts'

/** Everything in the tree that is made from the code, by path. */
export async function generatedFiles(root: string): Promise<Record<string, string>> {
  return {
    'docs/reference/errors.md': errorsReference(errorCatalogue),
    'docs/reference/permissions.md': permissionsReference(permissionCatalogue, allRoutes),
    'docs/reference/operations.md': operationsReference(allRoutes),
    'docs/reference/provider-differences.md': differencesReference(),
    'docs/reference/settings.md': settingsReference(),
    'docs/reference/openapi-operations.json': documentOf('operations'),
    'docs/reference/openapi-customer.json': documentOf('customer'),
    [PUBLISHED_FILE]: publishedText(root),
    'docs/spec.md': specPage(clauses, proofsIn(root)),
    ...realmFilesOf(),
  }
}

function documentOf(surface: Surface): string {
  const document = openapiOf({
    surface,
    routes: allRoutes,
    version: '1',
    serverUrl: 'http://localhost:8080',
  })
  return `${JSON.stringify(document, null, 2)}\n`
}

function realmFilesOf(): Record<string, string> {
  const codes = Object.entries(permissionCatalogue).map(([code, description]) => ({
    code,
    description,
  }))
  return Object.fromEntries(
    Object.entries(realmFiles(codes)).map(([name, text]) => [`deploy/keycloak/${name}`, text]),
  )
}
