import { expect, it } from 'vitest'
import { sourceIpReader } from './source-ip.ts'

it.each([
  ['203.0.113.1', undefined, '203.0.113.1'],
  ['::ffff:203.0.113.1', undefined, '203.0.113.1'],
  ['2001:db8::1', undefined, '2001:db8::1'],
  // A Deny of fe80::/10 must find it.
  ['fe80::1%eth0', undefined, 'fe80::1'],
  ['203.0.113.1', '198.51.100.7', '203.0.113.1'],
  ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['10.0.0.1', '1.2.3.4, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['10.0.0.1', '1.2.3.4, ::ffff:c633:6407', '198.51.100.7'],
  ['10.0.0.1', '1.2.3.4, rubbish', '10.0.0.1'],
  ['10.0.0.1', '10.0.0.2', '10.0.0.1'],
] as const)('takes a request of %s, forwarded for %s, for one of %s', (peer, forwardedFor, expected) => {
  expect(sourceIpReader(['10.0.0.0/8'])(peer, forwardedFor)).toBe(expected)
})
