import { compactVerify, errors } from 'jose'
import { tokenInvalid } from './refusals.ts'
import type { SigningKey } from './signing-keys.ts'

/** The signed bytes. The key is used for its own algorithm and no other (security rule 2). */
export async function requireSignedPayload(token: string, key: SigningKey): Promise<Uint8Array> {
  try {
    const { payload } = await compactVerify(token, key.key, { algorithms: [key.alg] })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw tokenInvalid('SIGNATURE')
    throw error
  }
}
