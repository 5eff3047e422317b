import { changeRoutesOf } from '../changes/index.ts'
import { contractRoutes } from '../contracts/index.ts'
import type { Route } from '../http/route.ts'
import { resourceOf } from './resources.ts'

type Target = 'contract' | 'contract change' | 'party change' | 'partner change'

const VERBS = { APPROVE: 'approve', REJECT: 'reject', RETURN: 'return' } as const

const NOUNS: Readonly<Record<Target, string>> = {
  contract: 'Contract',
  'contract change': 'ContractChange',
  'party change': 'PartyChange',
  'partner change': 'PartnerChange',
}

const routes: readonly Route[] = [
  ...contractRoutes,
  ...(['contract', 'party', 'partner'] as const).flatMap((kind) =>
    changeRoutesOf(resourceOf(kind)),
  ),
]

/** A bulk decision runs the same operation as the single one: there is no second way to decide. */
export function decisionRoute(target: Target, decision: keyof typeof VERBS): Route {
  const id = VERBS[decision] + NOUNS[target]
  const route = routes.find((candidate) => candidate.id === id)
  if (route === undefined) throw new Error(`There is no operation ${id}.`)
  return route
}
