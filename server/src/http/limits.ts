/** Limits of every request (platform contract, section 8). */
export const BODY_LIMIT_BYTES = 256 * 1024
export const MOST_HEADER_LINES = 100
export const HEADER_BLOCK_BYTES = 16 * 1024
export const RECEIVE_TIMEOUT_MS = 30_000
export const ANSWER_TIMEOUT_MS = 30_000
export const TIMEOUT_CHECK_MS = 1_000
/** A stream whose reader takes nothing for so long is ended. */
export const STREAM_SILENCE_MS = 5 * 60_000
export const KEEP_ALIVE_MS = 65_000
export const LONGEST_PATH_PARAMETER = 1_024
