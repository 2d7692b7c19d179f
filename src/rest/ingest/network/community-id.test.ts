import { describe, expect, it } from 'vitest'
import { IngestDocument, type ValueMap } from '../ingest-document.ts'
import type { FactoryContext, IngestRun, Processor } from '../processor.ts'
import { ProcessorConfig } from '../processor-config.ts'
import { communityId } from './community-id-processor.ts'

const config = {
  source_ip_field: 's',
  source_port_field: 'sp',
  destination_ip_field: 'd',
  destination_port_field: 'dp',
  protocol_field: 'p',
  icmp_type_field: 't',
  icmp_code_field: 'c',
}

function idOf(source: ValueMap): unknown {
  const step = communityId(new ProcessorConfig('community_id', config), {} as FactoryContext)
  const document = new IngestDocument(source, {})
  step(document, {} as IngestRun, {} as Processor)
  return document.source['community_id']
}

describe('a community id', () => {
  // Baseline of the specification: https://github.com/corelight/community-id-spec
  it.each([
    [{ s: '128.232.110.120', sp: 34855, d: '66.35.250.204', dp: 80, p: 'tcp' }, '1:LQU9qZlK+B5F3KDmev6m5PMibrg='],
    [{ s: '66.35.250.204', sp: 80, d: '128.232.110.120', dp: 34855, p: 'TCP' }, '1:LQU9qZlK+B5F3KDmev6m5PMibrg='],
    [{ s: '192.168.1.52', sp: 54585, d: '8.8.8.8', dp: 53, p: 'udp' }, '1:d/FP5EW3wiY1vCndhwleRRKHowQ='],
    [{ s: '192.168.0.89', t: 8, c: 0, d: '192.168.0.1', p: 'icmp' }, '1:X0snYXpgwiv9TZtqg64sgzUn6Dk='],
    [
      { s: 'fe80::200:86ff:fe05:80da', t: 135, c: 0, d: 'fe80::260:97ff:fe07:69ea', p: 'ipv6-icmp' },
      '1:dGHyGvjMfljg6Bppwm3bg0LO8TY=',
    ],
  ])('of %j is %s', (source, id) => {
    expect(idOf(source)).toBe(id)
  })

  it('needs addresses of one kind', () => {
    expect(() => idOf({ s: '1.2.3.4', sp: 1, d: '::1', dp: 2, p: 'udp' })).toThrow('must have same format')
    expect(() => idOf({ s: 'x', sp: 1, d: '::1', dp: 2, p: 'udp' })).toThrow('is not a valid ipv4/ipv6 address')
    expect(() => idOf({ s: '::1', d: '::1', p: 'nope' })).toThrow('unsupported protocol [nope]')
  })
})
