import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Caller, personRefOf } from './caller.ts'
import {
  isPreparer,
  notHumanRefusal,
  type Prepared,
  personKeysOf,
  sameUserRefusal,
} from './four-eyes.ts'

const caller = (overrides: Partial<Caller> = {}): Caller => ({
  subject: 'https://id.example.org/realms/tfs#1',
  username: 'paul',
  human: true,
  permissions: new Set(),
  mode: 'token',
  ...overrides,
})

const preparedBy = (...people: readonly Caller[]): Prepared => ({
  preparers: [...new Set(people.flatMap(personKeysOf))],
  preparedBy: people.map((person, day) => ({
    ...personRefOf(person),
    at: `2026-03-0${day + 1}T09:00:00.000Z`,
  })),
})

describe('who is the same user (rule 14)', () => {
  const paul = caller({ person: 'E-1', actor: { subject: 'x#9', username: 'root' } })

  test.each<[string, Partial<Caller>]>([
    [
      'through another session, client and token',
      { clientId: 'tfs-cli', sessionId: 's2', expiresAt: 9 },
    ],
    ['with other permissions and links', { permissions: new Set(['a:b']), partnerId: 'ptn_1' }],
    ['after a rename', { username: 'pavel' }],
    ['under the same name with another sub', { subject: 'https://id.example.org/realms/tfs#2' }],
    ['in another case', { subject: 'other#2', username: 'PAUL' }],
    [
      'in full width, with blanks and invisible letters',
      { subject: 'other#2', username: ' ｐａ\u200bul ' },
    ],
    ['after a change of issuer', { subject: 'https://new.example.org/realms/tfs#1' }],
    ['in the other mode', { subject: 'dev:paul', mode: 'developer' }],
    [
      'by the person behind the account',
      { subject: 'other#7', username: 'p.second', person: 'E-1' },
    ],
    ['as the actor behind the session', { subject: 'x#9', username: 'someone' }],
    ['as the actor, by name', { subject: 'y#1', username: 'ROOT' }],
    ['through an actor who prepared', { subject: 'y#2', username: 'z', actor: { subject: 'x#9' } }],
    [
      'through an actor of that name',
      { subject: 'y#2', username: 'z', actor: { subject: 'q#1', username: 'Paul' } },
    ],
  ])('the same %s', (_, overrides) => {
    const same = caller(overrides)
    expect(isPreparer(preparedBy(paul), same)).toBe(true)
    expect(
      sameUserRefusal(preparedBy(caller({ subject: 'o#5', username: 'olga' }), paul), same)?.kind
        .code,
    ).toBe('FOUR_EYES_SAME_USER')
  })

  test.each<[string, Partial<Caller>]>([
    ['with another sub and another name', { subject: 'o#5', username: 'olga' }],
    ['whose name only begins alike', { subject: 'o#5', username: 'paula' }],
    ['whose person is named like the subject', { subject: 'o#5', username: 'olga', person: '1' }],
    ['whose name is the other’s employee number', { subject: 'o#5', username: 'E-1' }],
    ['whose name is a key', { subject: 'o#5', username: 'name:paul' }],
  ])('someone else %s', (_, overrides) => {
    expect(sameUserRefusal(preparedBy(paul), caller(overrides))).toBeUndefined()
  })

  test('two callers are the same exactly when they share a key, both ways round', () => {
    const some = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
    const people = fc.record({
      subject: fc.constantFrom('i#1', 'i#2', 'j#1', 'dev:ana'),
      username: fc.constantFrom('ana', 'ANA', 'ben', 'dev'),
      person: some('E-1', 'E-2'),
      actor: some('i#1', 'k#1'),
    })
    fc.assert(
      fc.property(people, people, (one, other) => {
        const [a, b] = [one, other].map(({ actor, person, ...rest }) =>
          caller({
            ...rest,
            ...(person && { person }),
            ...(actor && { actor: { subject: actor } }),
          }),
        ) as [Caller, Caller]
        const shared = personKeysOf(a).some((key) => personKeysOf(b).includes(key))
        expect(isPreparer(preparedBy(a), b)).toBe(shared)
        expect(isPreparer(preparedBy(b), a)).toBe(shared)
      }),
    )
  })
})

describe('what a preparer is told', () => {
  const [olga, paul] = [caller({ subject: 'o#5', username: 'olga' }), caller({ person: 'E-1' })]
  const item = preparedBy(olga, paul)

  test('the day of the own share, found by the account though the name has changed', () => {
    const refusal = sameUserRefusal(item, caller({ username: 'pavel' }))
    expect(refusal?.detail).toBe(
      'You prepared this on 2026-03-02. Someone else with the permission must decide.',
    )
    expect(refusal?.members).toEqual({
      preparedBy: personRefOf(paul),
      preparedAt: '2026-03-02T09:00:00.000Z',
    })
  })

  test('the day of the own share, found by the name', () => {
    const refusal = sameUserRefusal(item, caller({ subject: 'new#1', username: 'PAUL' }))
    expect(refusal?.members).toMatchObject({ preparedBy: { username: 'paul' } })
  })

  test('only that it is one of them, where neither account nor name matches', () => {
    const refusal = sameUserRefusal(item, caller({ subject: 'n#1', username: 'p2', person: 'E-1' }))
    expect(refusal?.detail).toBe(
      'You are one of those who prepared this. Someone else with the permission must decide.',
    )
    expect(refusal?.members).toMatchObject({ preparedBy: { username: 'olga' } })
  })

  test('an item without a recorded preparer cannot be decided by anyone (rule 14)', () => {
    const refusal = sameUserRefusal({ preparers: [], preparedBy: [] }, olga)
    expect(refusal?.kind.code).toBe('FOUR_EYES_SAME_USER')
    expect(refusal?.detail).toMatch(
      /^No preparer is recorded for this item, so nobody can decide it\./,
    )
  })
})

test('only people decide', () => {
  expect(notHumanRefusal(caller())).toBeUndefined()
  expect(notHumanRefusal(caller({ human: false }))?.kind.code).toBe('HUMAN_APPROVER_REQUIRED')
})
