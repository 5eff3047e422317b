import type { Host } from './host.ts'

export const PARTNER_STAFF = ['partner:create', 'partner:read', 'partner:update'] as const

let count = 0

export function newPartner(overrides: Readonly<Record<string, unknown>> = {}) {
  count += 1
  return {
    code: `PARTNER-${process.pid}-${count}`,
    name: `Partner ${count}`,
    kind: 'DEALER',
    ...overrides,
  }
}

export async function partnerOf(host: Host): Promise<{ id: string; code: string }> {
  const answer = await host.as('founder', ...PARTNER_STAFF).post('/partners', newPartner())
  if (answer.status !== 201) throw new Error(`The partner was refused: ${answer.text}`)
  return answer.body
}
