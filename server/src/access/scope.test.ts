import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { type Host, type HostMode, startHost, type Who } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS, type StoreKind } from '../../test/stores.ts'
import { everyPermission, UNKNOWN_ID } from '../../test/walk.ts'

const SITUATIONS: readonly (readonly [HostMode, StoreKind])[] = STORE_KINDS.flatMap((store) => [
  ['developer', store] as const,
  ['token', store] as const,
])

/** What two partners and two parties have: `a` and `b` are parties, numbers are partners. */
interface Estate {
  readonly partner1: string
  readonly partner2: string
  readonly partyA: string
  readonly partyB: string
  readonly a1: string
  readonly b1: string
  readonly b2: string
  readonly b0: string
}

async function estateOf(staff: Client): Promise<Estate> {
  const partner = async (code: string): Promise<string> =>
    (await staff.post('/partners', { code, name: `House ${code}`, kind: 'DEALER' })).body.id
  const [partner1, partner2] = [await partner('ONE'), await partner('TWO')]
  const partyA = await createParty(staff, newPerson('Ahorn'))
  const partyB = await createParty(staff, newPerson('Birke'))
  const contract = (partyId: string, partnerId?: string): Promise<string> =>
    createContract(staff, newContract(partyId, partnerId === undefined ? {} : { partnerId }))
  return {
    ...{ partner1, partner2, partyA, partyB },
    a1: await contract(partyA, partner1),
    b1: await contract(partyB, partner1),
    b2: await contract(partyB, partner2),
    b0: await contract(partyB),
  }
}

const idsIn = ({ body }: TestAnswer): string[] => body.items.map(({ id }: { id: string }) => id)

describe.each(SITUATIONS)('rows in %s mode on %s', (mode, store) => {
  let host: Host
  let staff: Client
  let estate: Estate
  beforeAll(async () => {
    host = await startHost({ mode, store })
    staff = host.as('paul', ...everyPermission)
    estate = await estateOf(staff)
  })
  afterAll(() => host.close())

  const as = (link: Pick<Who, 'partyId' | 'partnerId'>): Client =>
    host.as('linked', { permissions: everyPermission, ...link })
  const wordsOf = ({ status, body }: TestAnswer): object => {
    const { requestId: _, instance: __, ...rest } = body
    return { status, ...rest }
  }

  test('staff of the house see everything', async () => {
    const { a1, b1, b2, b0 } = estate
    expect(idsIn(await staff.get('/contracts?sort=createdAt'))).toEqual([a1, b1, b2, b0])
  })

  test('a partner sees its own contracts and their parties, in every list (rule 16)', async () => {
    const { partner1, partner2, partyA, partyB, a1, b1, b2 } = estate
    const dealer = as({ partnerId: partner1 })
    for (const sort of ['createdAt', '-createdAt', 'number', 'financedAmount', '-firstDueDate'])
      expect(idsIn(await dealer.get(`/contracts?sort=${sort}`)).sort(), sort).toEqual(
        [a1, b1].sort(),
      )
    expect(idsIn(await dealer.get(`/contracts?partyId=${partyB}`))).toEqual([b1])
    expect(idsIn(await dealer.get(`/contracts?partnerId=${partner2}`))).toEqual([])
    expect(idsIn(await dealer.get('/contracts?q=Clara%20Birke'))).toEqual([b1])
    const { number } = (await staff.get(`/contracts/${b2}`)).body
    expect(idsIn(await dealer.get(`/contracts?q=${number}`))).toEqual([])
    expect(idsIn(await dealer.get('/contracts?preparedBy=paul')).sort()).toEqual([a1, b1].sort())
    expect(idsIn(await dealer.get('/parties')).sort()).toEqual([partyA, partyB].sort())
    expect(idsIn(await as({ partnerId: partner2 }).get('/parties'))).toEqual([partyB])
    expect(idsIn(await as({ partnerId: partner2 }).get('/parties?q=Clara%20Ahorn'))).toEqual([])
    expect(idsIn(await as({ partnerId: 'ptn_none' }).get('/contracts'))).toEqual([])
  })

  test('a party sees its own rows alone, on both surfaces (spec 4.3, rule 16)', async () => {
    const { partyA, partyB, a1, b1, b2, b0 } = estate
    const [ada, bea] = [as({ partyId: partyA }), as({ partyId: partyB })]
    for (const path of ['/contracts', '/my/contracts']) {
      expect(idsIn(await ada.get(path)), path).toEqual([a1])
      expect(idsIn(await bea.get(path)).sort(), path).toEqual([b1, b2, b0].sort())
      expectProblem(await ada.get(`${path}/${b1}`), 404, 'NOT_FOUND')
      expect((await ada.get(`${path}/${a1}`)).status, path).toBe(200)
    }
    expect(idsIn(await ada.get('/parties'))).toEqual([partyA])
    expectProblem(await ada.get(`/parties/${partyB}`), 404, 'NOT_FOUND')
  })

  test('whoever is linked to a party and a partner sees what both allow', async () => {
    const { partner1, partner2, partyA, partyB, b1 } = estate
    const both = as({ partyId: partyB, partnerId: partner1 })
    for (const path of ['/contracts', '/my/contracts'])
      expect(idsIn(await both.get(path))).toEqual([b1])
    expect(idsIn(await as({ partyId: partyA, partnerId: partner2 }).get('/contracts'))).toEqual([])
  })

  test('404 for a foreign id, word for word that of an unknown one, by id and by number (rule 16, spec 7.5)', async () => {
    const { partner2, partyA, a1 } = estate
    const dealer = as({ partnerId: partner2 })
    const { number } = (await staff.get(`/contracts/${a1}`)).body
    for (const [path, foreign] of [
      ['/contracts', a1],
      ['/contracts', number],
      ['/parties', partyA],
      ['/partners', estate.partner1],
    ] as const) {
      const unknown = await dealer.get(
        `${path}/${path === '/contracts' && foreign === number ? '1999-000001' : UNKNOWN_ID}`,
      )
      expectProblem(unknown, 404, 'NOT_FOUND')
      expect(wordsOf(await dealer.get(`${path}/${foreign}`)), foreign).toEqual(wordsOf(unknown))
    }
    const customer = as({ partyId: estate.partyB })
    expect(wordsOf(await customer.get(`/my/contracts/${a1}`))).toEqual(
      wordsOf(await customer.get(`/my/contracts/${UNKNOWN_ID}`)),
    )
  })

  test('404 for every command on a foreign contract, and nothing changes (rule 16)', async () => {
    const { partner2, a1 } = estate
    const dealer = as({ partnerId: partner2 })
    const before = await staff.get(`/contracts/${a1}`)
    for (const command of ['approve', 'submit'])
      expectProblem(await dealer.post(`/contracts/${a1}/${command}`), 404, 'NOT_FOUND', command)
    for (const command of ['reject', 'return', 'withdraw'])
      expectProblem(
        await dealer.post(`/contracts/${a1}/${command}`, { reason: 'x' }),
        404,
        'NOT_FOUND',
        command,
      )
    const edit = await dealer.patch(`/contracts/${a1}`, { externalRef: 'x' }, { 'if-match': '"1"' })
    expectProblem(edit, 404, 'NOT_FOUND')
    expect((await staff.get(`/contracts/${a1}`)).text).toBe(before.text)
  })

  test('422 for a body that refers to a foreign row, word for word that of an unknown one (rule 16)', async () => {
    const { partner1, partner2, partyA, partyB } = estate
    const dealer = as({ partnerId: partner2 })
    const referring: readonly (readonly [object, object])[] = [
      [newContract(partyA), newContract(UNKNOWN_ID)],
      [
        newContract(partyB, { partnerId: partner1 }),
        newContract(partyB, { partnerId: UNKNOWN_ID }),
      ],
    ]
    for (const [foreign, unknown] of referring) {
      const answer = await dealer.post('/contracts', foreign)
      expectProblem(answer, 422, 'RULE_VIOLATED')
      expect(wordsOf(answer)).toEqual(wordsOf(await dealer.post('/contracts', unknown)))
    }
    const draft = await createContract(dealer, newContract(partyB, { draft: true }))
    const patch = (body: object): Promise<TestAnswer> =>
      dealer.patch(`/contracts/${draft}`, body, { 'if-match': '"1"' })
    for (const [foreign, unknown] of [
      [{ partyId: partyA }, { partyId: UNKNOWN_ID }],
      [{ partnerId: partner1 }, { partnerId: UNKNOWN_ID }],
    ] as const) {
      const answer = await patch(foreign)
      expectProblem(answer, 422, 'RULE_VIOLATED')
      expect(wordsOf(answer)).toEqual(wordsOf(await patch(unknown)))
    }
  })

  test('what a partner creates is its own, and no other partner’s', async () => {
    const { partner1, partner2 } = estate
    const dealer = as({ partnerId: partner1 })
    const party = await createParty(dealer, newPerson('Neu'))
    const contract = await dealer.post('/contracts', newContract(party))
    expect(contract.body.partnerId).toBe(partner1)
    const other = as({ partnerId: partner2 })
    expectProblem(await other.get(`/parties/${party}`), 404, 'NOT_FOUND')
    expectProblem(await other.get(`/contracts/${contract.body.id}`), 404, 'NOT_FOUND')
    expect(idsIn(await other.get('/parties'))).not.toContain(party)
  })

  test('403 for linked callers on what spans everyone', async () => {
    for (const link of [{ partyId: estate.partyA }, { partnerId: estate.partner1 }])
      for (const path of ['/audit', '/events'])
        expectProblem(await as(link).get(path), 403, 'PERMISSION_MISSING', path)
  })
})

describe.each(STORE_KINDS)('links in tokens on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode: 'token', store })
  })
  afterAll(() => host.close())

  test('403 PARTNER_REQUIRED for every client tfs-partner… without a partner', async () => {
    for (const azp of ['tfs-partner-one', 'tfs-partner', 'tfs-partners'])
      for (const path of ['/contracts', '/my/contracts', '/me', '/permissions'])
        for (const again of [1, 2]) {
          const claims = { azp }
          const unlinked = host.as('system', { permissions: everyPermission, partyId: 'p', claims })
          expectProblem(
            await unlinked.get(path),
            403,
            'PARTNER_REQUIRED',
            `${azp} ${path} ${again}`,
          )
          const linked = host.as('system', {
            permissions: everyPermission,
            partyId: 'p',
            partnerId: 'n',
            claims,
          })
          expect((await linked.get(path)).status, path).toBe(200)
        }
  })

  test('403 for an impersonated session on every command; it reads as the one it acts for', async () => {
    const staff = host.as('paul', ...everyPermission)
    const id = await createContract(staff, newContract(await createParty(staff)))
    const acts: Record<string, NonNullable<Who['claims']>> = {
      act: { act: { sub: 'admin-id', preferred_username: 'admin' } },
      'an empty act': { act: {} },
      'an act that is no object': { act: 'admin' },
    }
    for (const [name, claims] of Object.entries(acts)) {
      const acting = host.as('ana', { permissions: everyPermission, claims })
      for (const again of [1, 2]) {
        expect((await acting.get(`/contracts/${id}`)).status, `${name} ${again}`).toBe(200)
        expect((await acting.get('/me')).body).toMatchObject({
          username: 'ana',
          impersonated: true,
        })
        const posts: readonly (readonly [string, object])[] = [
          ['/parties', newPerson()],
          ['/contracts', newContract('pty_x')],
          [`/contracts/${id}/approve`, {}],
          [`/contracts/${id}/withdraw`, { reason: 'x' }],
          [`/contracts/${id}/approve?dryRun=true`, {}],
        ]
        for (const [path, body] of posts)
          expectProblem(
            await acting.post(path, body),
            403,
            'IMPERSONATION_READ_ONLY',
            `${name} ${path}`,
          )
      }
    }
    expect((await staff.get(`/contracts/${id}`)).body.state).toBe('PENDING_APPROVAL')
  })

  test('403 HUMAN_APPROVER_REQUIRED for callers who are no person; they may prepare (spec 5.4.3)', async () => {
    const machines: Record<string, Client> = {
      'a service account': host.as('service-account-tfs-ops', ...everyPermission),
      'no user name': host.as('x', {
        permissions: everyPermission,
        claims: { preferred_username: undefined, sub: 'm' },
      }),
      'an empty user name': host.as('x', {
        permissions: everyPermission,
        claims: { preferred_username: '', sub: 'n' },
      }),
    }
    const staff = host.as('paul', ...everyPermission)
    const partyId = await createParty(staff)
    const id = await createContract(staff, newContract(partyId))
    for (const [name, machine] of Object.entries(machines)) {
      for (const again of [1, 2])
        for (const [decision, body] of [
          ['approve', {}],
          ['reject', { reason: 'x' }],
          ['return', { reason: 'x' }],
        ] as const) {
          const answer = await machine.post(`/contracts/${id}/${decision}`, body)
          expectProblem(answer, 403, 'HUMAN_APPROVER_REQUIRED', `${name} ${decision} ${again}`)
        }
      const own = await machine.post('/contracts', newContract(partyId))
      expect(own.status, name).toBe(201)
      expectProblem(
        await machine.post(`/contracts/${own.body.id}/approve`),
        409,
        'FOUR_EYES_SAME_USER',
        name,
      )
    }
  })
})
