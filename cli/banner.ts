/** What a newcomer needs to see first; every command works when pasted. */
export function developerBanner(baseUrl: string, wantedPort: number): string {
  const moved = baseUrl.endsWith(`:${wantedPort}`)
    ? ''
    : `\n  Port ${wantedPort} is busy, so this one was taken.\n`
  return `
  TFS is running in developer mode: no identity provider, callers name themselves.
${moved}
  API        ${baseUrl}/api/v1
  Reference  ${baseUrl}/docs/
  Health     ${baseUrl}/readyz

  Contracts that wait for approval, seen by someone who may approve them:

    curl -s '${baseUrl}/api/v1/contracts?state=PENDING_APPROVAL' -H 'x-dev-user: ana' -H 'x-dev-permissions: contract:approve'

  One of them was prepared by chief. Approve it as chief and see 409 FOUR_EYES_SAME_USER:

    curl -s -X POST ${baseUrl}/api/v1/contracts/<id>/approve -H 'x-dev-user: chief' -H 'x-dev-permissions: contract:approve'

  Stop with Ctrl-C.

`
}
