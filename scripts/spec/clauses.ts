import { accessClauses } from './access-clauses.ts'
import type { Clause } from './clause.ts'
import { serviceClauses } from './service-clauses.ts'

export const clauses: readonly Clause[] = [...serviceClauses, ...accessClauses]
