import type { ErrorView } from '../pages/notice-pages.ts'

interface ErrorFacts {
  readonly error: string
  readonly description: string | undefined
  readonly status: number
}

const START_AGAIN = 'Go back to where you came from and start again.'

/**
 * Plain words for what a person in a browser may run into; integrators find the code below them.
 */
export function errorViewOf({ error, description, status }: ErrorFacts): ErrorView {
  const known = TEXTS[error]
  if (known !== undefined) return { status, code: error, ...known }
  return {
    status,
    code: error,
    heading: 'This request cannot be answered',
    text: `The request was refused: ${sentence(description ?? error)} Nothing was changed. ${START_AGAIN}`,
  }
}

export const EXPIRED_SIGN_IN: ErrorView = {
  status: 400,
  heading: 'This sign-in has expired',
  text: `It took too long, was finished already, or was begun in another browser. Nothing was changed. ${START_AGAIN}`,
  code: 'session_not_found',
}

export const FOREIGN_FORM: ErrorView = {
  status: 403,
  heading: 'This form did not come from here',
  text: `It was sent by another page or is out of date. Nobody was signed in. ${START_AGAIN}`,
  code: 'foreign_form',
}

export const OTHER_USER: ErrorView = {
  status: 409,
  heading: 'Someone else is signed in',
  text: `Another window of this browser signed in as a different user meanwhile. ${START_AGAIN}`,
  code: 'other_user',
}

export const PAGE_UNKNOWN: ErrorView = {
  status: 404,
  heading: 'There is nothing here',
  text: 'This is the identity provider of TFS. Open the console or the portal instead; they lead here when you sign in.',
}

const TEXTS: Readonly<Record<string, Pick<ErrorView, 'heading' | 'text'>>> = {
  invalid_client: {
    heading: 'This program is not known here',
    text: 'The program that sent you is not registered with this identity provider. You were not signed in. Tell whoever runs it.',
  },
  invalid_redirect_uri: {
    heading: 'This address is not allowed',
    text: 'The program asked to be answered at an address that is not registered for it. You were not signed in, and nothing was sent there. Tell whoever runs it.',
  },
  temporarily_unavailable: {
    heading: 'Not available right now',
    text: 'The identity provider cannot reach its database. Nothing was changed. Wait a moment, then load this page again.',
  },
  server_error: {
    heading: 'Something went wrong',
    text: `The fault is on our side and has been recorded. ${START_AGAIN}`,
  },
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
