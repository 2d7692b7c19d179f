import { describe, expect, it } from 'vitest'
import { userAgentParser } from './user-agent-parser.ts'

const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51'

// What 6.8.23 answers is among the recorded calls (user-agents.calls).
describe('what clients say of themselves', () => {
  it('is read by the patterns of the version', () => {
    const edge = { name: 'Edge', major: '131', minor: '0', patch: '2903', build: '51' }
    const windows = { name: 'Windows', major: '10' }
    expect(userAgentParser('OpenSearch_2.19').parse(EDGE)).toEqual({
      browser: edge,
      system: windows,
      device: undefined,
    })
    expect(userAgentParser('Elasticsearch_7.10')).toBe(userAgentParser('OpenSearch_2.19'))
    expect(userAgentParser('Elasticsearch_6.8').parse(EDGE).browser).toEqual({
      name: 'Chrome',
      major: '131',
      minor: '0',
      patch: '0',
    })
  })

  it('is given up where a pattern would take for ever', async () => {
    const parse = (): unknown => userAgentParser('Elasticsearch_6.8').parse('a'.repeat(100_000))
    expect(parse).toThrow('reading a user agent of 100000 characters takes longer than 250 ms')
    // What was slow has used up most of the time that this turn has for it.
    await new Promise(setImmediate)
    expect(userAgentParser('Elasticsearch_6.8').parse('curl/7.58.0').browser?.name).toBe('curl')
  })
})
