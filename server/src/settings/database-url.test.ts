import { describe, expect, test } from 'vitest'
import { databaseUrl } from './database-url.ts'

function parse(text: string) {
  return databaseUrl.parse(text, (fault) => {
    throw new Error(fault)
  })
}

describe('a database URL', () => {
  test('is taken apart', () => {
    const url =
      'postgresql://app%40x:p%40ss%2Fw%3Ard@db.example.org:6432/my%20tfs?sslmode=verify-full&application_name=tfs'
    expect(parse(url)).toEqual({
      url,
      hosts: [{ host: 'db.example.org', port: 6432 }],
      socketDir: undefined,
      socketPort: 5432,
      user: 'app@x',
      password: 'p@ss/w:rd',
      database: 'my tfs',
      parameters: { sslmode: 'verify-full', application_name: 'tfs' },
      label: 'app@x@db.example.org:6432/my tfs',
    })
  })

  test.each([
    ['postgres://app@localhost/tfs', [{ host: 'localhost', port: 5432 }]],
    ['postgres://app:@127.0.0.1:1/tfs', [{ host: '127.0.0.1', port: 1 }]],
    ['postgres://app@[::1]:65535/tfs', [{ host: '::1', port: 65_535 }]],
    ['postgres://app@my_db-1/tfs', [{ host: 'my_db-1', port: 5432 }]],
    [
      'postgres://app@a:1,[fd00::2],c:3/tfs?target_session_attrs=read-write',
      [
        { host: 'a', port: 1 },
        { host: 'fd00::2', port: 5432 },
        { host: 'c', port: 3 },
      ],
    ],
  ])('%s reaches %j', (url, hosts) => {
    expect(parse(url).hosts).toEqual(hosts)
    expect(parse(url).socketDir).toBeUndefined()
  })

  test.each([
    ['postgres://app@/tfs?host=/run/pg', 5432],
    ['postgres://app@/tfs?host=%2Frun%2Fpg', 5432],
    ['postgres://app@%2Frun%2Fpg/tfs', 5432],
    ['postgres://app@%2frun%2fpg:6000/tfs', 6000],
  ])('%s reaches a unix socket', (url, port) => {
    const { hosts, socketDir, socketPort, label } = parse(url)
    expect([hosts, socketDir, socketPort]).toEqual([[], '/run/pg', port])
    expect(label).toBe('app@/run/pg/tfs')
  })

  test('its label never holds the password', () => {
    expect(parse('postgres://app:hunter2@[::1]/tfs').label).toBe('app@[::1]:5432/tfs')
  })

  test.each([
    ['', 'does not begin'],
    ['mysql://app@localhost/tfs', 'does not begin'],
    ['POSTGRES://app@localhost/tfs', 'does not begin'],
    ['host=localhost password=hunter2', 'has a blank'],
    ['postgres://app:hünter2@localhost/tfs', 'has a blank or a character'],
    ['postgres://localhost/tfs', 'names no user'],
    ['postgres://:hunter2@localhost/tfs', 'names no user'],
    ['postgres://app@localhost', 'names no database'],
    ['postgres://app@localhost/', 'names no database'],
    ['postgres://app@localhost/tfs/x', 'cannot be read'],
    ['postgres://app@localhost/tfs#x', 'cannot be read'],
    ['postgres://app:hun@ter2@localhost/tfs', 'cannot be read'],
    ['postgres://app:hun/ter2@localhost/tfs', 'cannot be read'],
    ['postgres://app:hun#ter2@localhost/tfs', 'cannot be read'],
    ['postgres://app:hun:ter2@localhost/tfs', 'cannot be read'],
    ['postgres://app:hunter2%@localhost/tfs', 'has a faulty percent-encoding'],
    ['postgres://app:hunter2%0a@localhost/tfs', 'has a control character'],
    ['postgres://app%00@localhost/tfs', 'has a control character'],
    ['postgres://app@/tfs', 'names no host'],
    ['postgres://app@,/tfs', 'has no proper host'],
    ['postgres://app@localhost,/tfs', 'has no proper host'],
    ['postgres://app@::1/tfs', 'has no proper host'],
    ['postgres://app@localhost:/tfs', 'has no proper host'],
    ['postgres://app@localhost:0/tfs', 'has a port out of range'],
    ['postgres://app@localhost:65536/tfs', 'has a port out of range'],
    ['postgres://app@127.1/tfs', 'names a host that is neither'],
    ['postgres://app@[127.0.0.1]/tfs', 'names a host that is neither'],
    ['postgres://app@local%68ost/tfs', 'names a host that is neither'],
    ['postgres://app@-a/tfs', 'names a host that is neither'],
    ['postgres://app@localhost,%2Frun/tfs', 'names a host that is neither'],
    ['postgres://app@a,b,c,d,e,f,g,h,i/tfs', 'names too many hosts'],
    ['postgres://app@localhost/tfs?host=/run', 'names two hosts'],
    ['postgres://app@%2Frun/tfs?host=/run', 'names two hosts'],
    ['postgres://app@/tfs?host=evil.com', 'has a bad value for its parameter host'],
    ['postgres://app@localhost/tfs?hostaddr=10.0.0.1', 'has a parameter other than'],
    ['postgres://app@localhost/tfs?options=-c%20row_security=off', 'has a parameter other than'],
    ['postgres://app@localhost/tfs?password=hunter2', 'has a parameter other than'],
    ['postgres://app@localhost/tfs?__proto__=x', 'has a parameter other than'],
    ['postgres://app@localhost/tfs?sslmode=maybe', 'has a bad value for its parameter sslmode'],
    ['postgres://app@localhost/tfs?sslmode', 'has a bad value for its parameter sslmode'],
    ['postgres://app@localhost/tfs?sslmode=require=x', 'has a bad value for its parameter'],
    ['postgres://app@localhost/tfs?sslmode=require&sslmode=disable', 'gives its parameter sslmode'],
    ['postgres://app@localhost/tfs?connect_timeout=0', 'has a bad value for its parameter'],
    [`postgres://${'u'.repeat(64)}@localhost/tfs`, 'names a user that is too long'],
    [`postgres://app@localhost/${'d'.repeat(64)}`, 'names a database that is too long'],
  ])('%s stops: %s', (url, fault) => {
    expect(() => parse(url)).toThrow(fault)
  })
})
