import { describe, expect, test } from 'vitest'
import { storageErrors } from './errors.ts'
import { failureOf, isConstraint, isLostConnection, SqlFault } from './failures.ts'

function driverError(fields: Record<string, unknown>): Error {
  return Object.assign(new Error('as the driver says'), fields)
}

const refusedBy = (code: string, more: Record<string, unknown> = {}): Error =>
  driverError({ code, severity: 'ERROR', ...more })

describe('503 with Retry-After', () => {
  test.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'],
  ])('when the connection says %s, which then is lost', (code) => {
    const error = driverError({ code })
    expect(failureOf(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(isLostConnection(error)).toBe(true)
  })

  test.each([
    ...['08000', '08003', '08006', '08P01', '53100', '53200', '53300', '53400'],
    ...['57P01', '57P02', '57P03', '57P05', '58000', '58030'],
    ...['57014', '55P03', '40001', '40P01', '25P03', '25P04'],
  ])('when the database says %s', (code) => {
    expect(failureOf(refusedBy(code))).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      headers: { 'Retry-After': '1' },
    })
  })

  test.each(['28P01', '3D000', '57P01'])('when a connection is refused or ended by %s', (code) => {
    const error = driverError({ code, severity: 'FATAL' })
    expect(failureOf(error)).toMatchObject({ status: 503 })
    expect(isLostConnection(error)).toBe(true)
  })

  test('when the embedded store is closed', () => {
    expect(failureOf(new Error('PGlite is closed'))).toMatchObject({ status: 503 })
    expect(failureOf(new Error('PGlite is closing'))).toMatchObject({ status: 503 })
  })
})

describe('a fault', () => {
  test.each([
    ['postgres', { constraint_name: 'item_pkey', table_name: 'item', column_name: 'id' }],
    ['embedded', { constraint: 'item_pkey', table: 'item', column: 'id' }],
  ])('names what was violated, %s', (_, fields) => {
    const fault = failureOf(refusedBy('23505', { ...fields, params: ['secret'], detail: 'secret' }))
    expect(fault).toBeInstanceOf(SqlFault)
    expect({ ...(fault as SqlFault) }).toEqual({
      name: 'SqlFault',
      sqlState: '23505',
      constraint: 'item_pkey',
      table: 'item',
      column: 'id',
    })
    expect(isConstraint(fault, 'item_pkey')).toBe(true)
    expect(isConstraint(fault, 'other')).toBe(false)
  })

  test('of the work passes unchanged', () => {
    const errors = [
      storageErrors.UNAVAILABLE('No.'),
      new TypeError('x'),
      driverError({ code: 'ERR_INVALID_ARG_TYPE' }),
      'thrown text',
      undefined,
    ]
    for (const error of errors) expect(failureOf(error)).toBe(error)
  })

  test('is told once, also when it passes twice', () => {
    const fault = failureOf(refusedBy('23505'))
    expect(failureOf(fault)).toBe(fault)
  })
})
