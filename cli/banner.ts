import type { DemoFacts } from '../server/src/start.ts'

/** What a newcomer needs to see first; every command works when pasted. */
export function banner(facts: DemoFacts): string {
  const { baseUrl, wantedPort, issuer } = facts
  const lines = [
    '',
    `  TFS is running in ${facts.mode} mode${facts.mode === 'developer' ? ': no identity provider, callers name themselves' : ''}.`,
    ...(baseUrl.endsWith(`:${wantedPort}`)
      ? []
      : [`  Port ${wantedPort} is busy, so another one was taken.`]),
    '',
    `  API        ${baseUrl}/api/v1`,
    `  Reference  ${baseUrl}/docs/`,
    `  Health     ${baseUrl}/readyz`,
    ...(issuer ? [`  Sign-in    OIDC_ISSUER=${issuer}`] : []),
    '',
    ...(facts.mode === 'developer' ? developerPart(facts) : tokenPart(facts)),
    '  Stop with Ctrl-C.',
    '',
    '',
  ]
  return lines.join('\n')
}

function developerPart({ baseUrl, ...facts }: DemoFacts): string[] {
  const who = (user: string): string =>
    `-H 'x-dev-user: ${user}' -H 'x-dev-permissions: contract:approve'`
  return [
    '  What waits for a decision:',
    '',
    `    curl -s '${baseUrl}/api/v1/contracts?state=PENDING_APPROVAL' ${who('ana')}`,
    '',
    ...decisionPart(baseUrl, facts, who),
  ]
}

function tokenPart({ baseUrl, issuer, demoUsers, ...facts }: DemoFacts): string[] {
  if (issuer === undefined) return ['  Callers sign in at the provider that OIDC_ISSUER names.', '']
  const token = (user: string): string =>
    `$(curl -s ${issuer}/protocol/openid-connect/token -d grant_type=password -d client_id=tfs-ops -d username=${user} -d password=${user} | sed 's/.*"access_token":"\\([^"]*\\).*/\\1/')`
  const who = (user: string): string => `-H "Authorization: Bearer ${token(user)}"`
  return [
    '  Demo users, password equal to the name:',
    '',
    ...demoUsers.map(({ username, purpose }) => `    ${username.padEnd(10)} ${purpose}`),
    '',
    '  What waits for a decision, with a token by the password grant:',
    '',
    `    curl -s '${baseUrl}/api/v1/contracts?state=PENDING_APPROVAL' ${who('approver')}`,
    '',
    ...decisionPart(baseUrl, facts, who),
  ]
}

type Waiting = Pick<DemoFacts, 'chiefContractId' | 'waitingContractId'>

function decisionPart(
  baseUrl: string,
  { chiefContractId, waitingContractId }: Waiting,
  who: (user: string) => string,
): string[] {
  const approve = (id: string, user: string): string =>
    `    curl -s -X POST ${baseUrl}/api/v1/contracts/${id}/approve ${who(user)}`
  if (chiefContractId !== undefined) {
    return [
      '  One of them was prepared by chief, who may do everything but this (409 FOUR_EYES_SAME_USER):',
      '',
      approve(chiefContractId, 'chief'),
      '',
      '  Someone else may:',
      '',
      approve(chiefContractId, 'approver'),
      '',
    ]
  }
  if (waitingContractId === undefined) return []
  return ['  Approve one that preparer prepared:', '', approve(waitingContractId, 'approver'), '']
}
