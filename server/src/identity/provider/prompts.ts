import { interactionPolicy } from 'oidc-provider'
import { CLI_CLIENT } from './clients.ts'

const { Check, Prompt, base } = interactionPolicy

/**
 * When a person is asked something: to sign in, and before a program on this machine acts as them.
 */
export function prompts(): interactionPolicy.DefaultPolicy {
  const policy = base()
  policy.get('login')?.checks.add(
    new Check('account_gone', 'the account is disabled or gone', 'login_required', ({ oidc }) => {
      const { session, account } = oidc
      return session?.accountId !== undefined && account === undefined
    }),
  )
  policy.remove('consent')
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      // RFC 8252, 8.6: any program can start the flow of a native client, so the person decides.
      new Check('program_asks', 'a person must agree', 'interaction_required', ({ oidc }) => {
        return oidc.client?.clientId === CLI_CLIENT && oidc.result?.consent === undefined
      }),
    ),
  )
  return policy
}
