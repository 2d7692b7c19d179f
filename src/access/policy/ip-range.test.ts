import { describe, expect, it } from 'vitest'
import { type IpRange, parseIp, parseIpRange, rangeContains } from './ip-range.ts'

const holds = (range: string, address: string): boolean =>
  rangeContains(parseIpRange(range) as IpRange, parseIp(address) as Uint8Array)

describe('a range of addresses', () => {
  it('of IPv4 written as IPv6 counts its bits as IPv6', () => {
    expect(holds('::ffff:10.0.0.0/104', '10.200.0.1')).toBe(true)
    expect(holds('::ffff:10.0.0.0/104', '11.0.0.1')).toBe(false)
    expect(holds('::ffff:0:0/96', '203.0.113.1')).toBe(true)
    expect(holds('::ffff:203.0.113.1/128', '::ffff:cb00:7101')).toBe(true)
    expect(parseIpRange('::ffff:10.0.0.0/24')).toBeUndefined()
    expect(parseIpRange('10.0.0.0/104')).toBeUndefined()
  })

  it('holds addresses of its own family alone', () => {
    expect(holds('::/0', '10.0.0.1')).toBe(false)
    expect(holds('0.0.0.0/0', '2001:db8::1')).toBe(false)
  })
})
