import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type Interaction, type InteractionResults, type Provider } from 'oidc-provider'
import type { Db } from '../../storage/tx.ts'
import { type Account, displayNameOf } from '../accounts/account.ts'
import { dropSession } from '../artifacts/store.ts'
import { isDemoUser } from '../demo-users.ts'
import { nowSeconds } from '../lifetimes.ts'
import { errorPage } from '../pages/notice-pages.ts'
import type { Page } from '../pages/page.ts'
import { programPage } from '../pages/question-pages.ts'
import { signInPage } from '../pages/sign-in-page.ts'
import type { AccountsView } from '../provider/accounts-view.ts'
import { addressOf } from '../provider/address.ts'
import { ACR, AMR } from '../provider/authentication.ts'
import { EXPIRED_SIGN_IN, FOREIGN_FORM } from '../provider/error-texts.ts'
import { tooManyText } from '../provider/too-many-attempts.ts'
import { whileStoreAnswers } from '../provider/unavailable.ts'
import { PATHS, REALM_PATH } from '../realm.ts'
import type { CheckCredentials, SignIn } from '../sign-in/check-credentials.ts'
import { formFields } from './form-body.ts'
import type { FormTokens } from './form-token.ts'
import { sendPage, sendRedirect } from './send.ts'

const NO_ROWS = { rows: 'NONE' } as const
const WRONG = 'User name or password is not right.'
const DISABLED = 'This account is disabled. Ask an administrator.'

export interface SignInOptions {
  readonly db: Db
  readonly demo: boolean
  readonly accounts: AccountsView
  readonly check: CheckCredentials
  readonly formTokens: FormTokens
}

type Fields = ReadonlyMap<string, string>

interface Visit {
  readonly provider: Provider
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly interaction: Interaction
}

/** The pages between an authorization request and its answer: sign in, or agree to a program. */
export function signInPages(options: SignInOptions) {
  return async (
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
    interactionId: string,
  ): Promise<void> => {
    const interaction = await interactionOf(provider, request, response, interactionId)
    if (interaction === undefined) return sendPage(response, errorPage(EXPIRED_SIGN_IN))
    const visit = { provider, request, response, interaction }
    if (request.method !== 'POST') return sendPage(response, await pageOf(options, visit))
    const fields = await formFields(request)
    const token = fields?.get('form_token') ?? ''
    if (fields === undefined || !options.formTokens.isValid(token, interaction.uid)) {
      return sendPage(response, errorPage(FOREIGN_FORM))
    }
    if (interaction.prompt.name === 'consent') await answerProgram(visit, fields)
    else await signIn(options, visit, fields)
  }
}

/**
 * The cookie of the browser that began must name the interaction of the address: no other may end
 * it.
 */
async function interactionOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(request, response)
    return interaction.uid === id ? interaction : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

async function pageOf(options: SignInOptions, visit: Visit, error?: Failure): Promise<Page> {
  const { interaction } = visit
  const common = {
    action: `${REALM_PATH}${PATHS.signIn}/${interaction.uid}`,
    clientName: await clientNameOf(visit),
    redirectUri: textOf(interaction.params['redirect_uri']),
  }
  const token = options.formTokens.of(interaction.uid)
  if (interaction.prompt.name === 'consent') {
    const account = await options.accounts.activeAccount(interaction.session?.accountId ?? '')
    const displayName = account === undefined ? 'you' : displayNameOf(account)
    return programPage({ ...common, token, displayName })
  }
  return signInPage({
    ...common,
    formToken: token,
    username: error?.username ?? textOf(interaction.params['login_hint']) ?? '',
    error: error?.text,
    demo: options.demo,
    ...(error !== undefined && { status: error.status }),
  })
}

interface Failure {
  readonly text: string
  readonly username: string
  readonly status: number
}

async function signIn(options: SignInOptions, visit: Visit, fields: Fields): Promise<void> {
  const { username, password } = credentialsOf(options, fields)
  const result = await options.check({ username, password, address: addressOf(visit.request) })
  if (result.outcome === 'ACCEPTED') return finishSignIn(options, visit, result.account)
  if (result.outcome === 'TOO_MANY') {
    visit.response.setHeader('retry-after', result.retryAfterSeconds)
  }
  const failure = { username, ...failureOf(result) }
  sendPage(visit.response, await pageOf(options, visit, failure))
}

/** A demo button only fills in the form: the password is checked like any other. */
function credentialsOf({ demo }: SignInOptions, fields: Fields) {
  const chosen = fields.get('demo')
  if (demo && chosen !== undefined && isDemoUser(chosen)) {
    return { username: chosen, password: chosen }
  }
  return { username: fields.get('username')?.trim() ?? '', password: fields.get('password') ?? '' }
}

function failureOf(result: Exclude<SignIn, { outcome: 'ACCEPTED' }>) {
  if (result.outcome === 'TOO_MANY') {
    return { status: 429, text: tooManyText(result.retryAfterSeconds) }
  }
  return { status: 400, text: result.outcome === 'DISABLED' ? DISABLED : WRONG }
}

/**
 * The session gets a new id when the request is resumed. One of another user in this browser ends
 * here, so that nothing of it is carried over.
 */
async function finishSignIn(options: SignInOptions, visit: Visit, account: Account): Promise<void> {
  const { provider, request, response, interaction } = visit
  const before = await provider.Session.get(provider.createContext(request, response))
  if (before.accountId !== undefined && before.accountId !== account.id) {
    await whileStoreAnswers(() => options.db.write(NO_ROWS, (tx) => dropSession(tx, before.uid)))
    interaction.session = undefined
  }
  await finish(visit, {
    // `remember: false`: the cookie ends with the browser, the session when the database says so.
    login: { accountId: account.id, acr: ACR, amr: [...AMR], remember: false, ts: nowSeconds() },
    // Whoever types a password for a program has agreed to it: the page named it.
    consent: {},
  })
}

async function answerProgram(visit: Visit, fields: Fields): Promise<void> {
  const refused = { error: 'access_denied', error_description: 'The user said no.' }
  await finish(visit, fields.get('answer') === 'yes' ? { consent: {} } : refused)
}

async function finish({ response, interaction }: Visit, result: InteractionResults): Promise<void> {
  interaction.result = result
  await interaction.save(Math.max(1, interaction.exp - nowSeconds()))
  sendRedirect(response, 303, interaction.returnTo)
}

async function clientNameOf({ provider, interaction }: Visit): Promise<string> {
  const id = textOf(interaction.params['client_id']) ?? ''
  return (await provider.Client.find(id))?.clientName ?? id
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
