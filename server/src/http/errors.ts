import { defineErrors } from '../base/errors.ts'

export const httpErrors = defineErrors({
  REQUEST_MALFORMED: {
    status: 400,
    title: 'The request is malformed.',
    when: 'Framing, the Host header, the target or the path cannot be read.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request does not fit the schema.',
    when: 'Parameters, headers or the body have faults; `errors` names each with its JSON pointer.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found.',
    when: 'There is no such path or item, or none that you may see.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The method is not allowed here.',
    when: 'The path exists, but not with this method; `Allow` names the ones it has.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'No representation fits the Accept header.',
    when: 'The client accepts none of the media types that the operation produces.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request took too long to arrive.',
    when: 'The request was not complete within 30 seconds.',
  },
  INVALID_STATE: {
    status: 409,
    title: 'The item is in a state that does not allow this.',
    when: 'The move does not exist from the present state; `state` and `allowedStates` say more.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'The same request is still running.',
    when: 'Another request with this Idempotency-Key has not finished; try again shortly.',
  },
  VERSION_CONFLICT: {
    status: 412,
    title: 'The item has changed meanwhile.',
    when: 'If-Match names another version than the present one; read it again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is too large.',
    when: 'The body has more than 256 KiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The media type is not supported.',
    when: 'The body is not JSON in UTF-8.',
  },
  RULE_VIOLATED: {
    status: 422,
    title: 'A business rule does not allow this.',
    when: 'The request is well formed but breaks a rule; `errors` names it with its pointer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The Idempotency-Key was used for another request.',
    when: 'The same key came with another query or body; use a new key.',
  },
  VERSION_REQUIRED: {
    status: 428,
    title: 'The version is needed.',
    when: 'The operation needs If-Match with the version that was read.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests.',
    when: 'The subject sends faster than its limit; wait for `Retry-After`.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large.',
    when: 'More than 100 header lines, or a header block of more than 16 KiB.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Something went wrong on our side.',
    when: 'A fault of the program. Nothing was changed; report the request id.',
  },
})
