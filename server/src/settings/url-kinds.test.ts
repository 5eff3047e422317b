import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'

test.each([
  'https://auth.example.org',
  'https://auth.example.org/',
  'https://auth.example.org/realms/tfs',
  'https://auth.example.org/realms/tfs/',
  'https://auth.example.org:8443/realms/tfs',
  'https://Auth.Example.org/realms/tfs',
  'https://auth.example.org/a%20b',
  'https://10.0.0.1/realms/tfs',
  'https://[fd00::1]:8443/realms/tfs',
  'http://localhost:8180/realms/tfs',
])('OIDC_ISSUER %s is kept character by character', (issuer) => {
  expect(readConfig({ OIDC_ISSUER: issuer }, 'serve').oidc?.issuer).toBe(issuer)
})

test.each([
  ['auth.example.org', 'is not an absolute'],
  ['/realms/tfs', 'is not an absolute'],
  ['//auth.example.org', 'is not an absolute'],
  ['https:auth.example.org', 'is not an absolute'],
  ['https:/auth.example.org', 'is not an absolute'],
  ['https:\\\\auth.example.org', 'is not an absolute'],
  ['HTTPS://auth.example.org', 'is not an absolute'],
  ['ftp://auth.example.org', 'is not an absolute'],
  ['javascript:alert(1)', 'is not an absolute'],
  ['https://', 'has no proper host'],
  ['https:///realms/tfs', 'has no proper host'],
  ['https://auth.example.org:', 'has no proper host'],
  ['https://auth.example.org:0', 'has no proper host'],
  ['https://auth.example.org:65536', 'has no proper host'],
  ['https://auth.example.org:x', 'has no proper host'],
  ['https://auth%2eexample.org', 'has no proper host'],
  ['https://auth.example.org\\x', 'has no proper host'],
  ['https://[::1', 'has no proper host'],
  ['https://a b', 'has a blank'],
  ['https://auth.example.org/realms/tfs x', 'has a blank'],
  ['https://äuth.example.org', 'has a blank or a character'],
  ['https://user:hunter2@auth.example.org', 'carries credentials'],
  ['https://user@auth.example.org', 'carries credentials'],
  ['https://@auth.example.org', 'carries credentials'],
  ['http://localhost@evil.com', 'carries credentials'],
  ['https://auth.example.org/realms/tfs?', 'carries a query'],
  ['https://auth.example.org?x=1', 'carries a query'],
  ['https://auth.example.org/realms/tfs#', 'carries a fragment'],
  ['https://auth.example.org/realms/tfs#x', 'carries a fragment'],
  ['http://127.1/realms/tfs', 'has a host in an odd spelling'],
  ['http://0x7f000001/realms/tfs', 'has a host in an odd spelling'],
  ['http://2130706433/', 'has a host in an odd spelling'],
  ['https://auth.example.org//', 'has a path in an odd spelling'],
  ['https://auth.example.org/realms//tfs', 'has a path in an odd spelling'],
  ['https://auth.example.org/realms/../tfs', 'has a path in an odd spelling'],
  ['https://auth.example.org/realms/%2e/tfs', 'has a path in an odd spelling'],
  ['https://auth.example.org/realms\\tfs', 'has a path in an odd spelling'],
  ['https://auth.example.org/x/.well-known/openid-configuration', 'is the address of discovery'],
])('OIDC_ISSUER %j stops: %s', (issuer, fault) => {
  const start = () => readConfig({ OIDC_ISSUER: issuer }, 'serve')
  expect(start).toThrow(`OIDC_ISSUER ${fault}`)
  expect(start).not.toThrow('hunter2')
})
