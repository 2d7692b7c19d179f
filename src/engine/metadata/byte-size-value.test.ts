import { describe, expect, it } from 'vitest'
import { parseByteSize } from './byte-size-value.ts'

describe('sizes', () => {
  // What the real servers accept with a warning; test/recorded-calls/vectors/values-of-settings*.json has what they refuse.
  it.each([
    ['1.5kb', 'Elasticsearch_6.8', 1536],
    ['1e3kb', 'Elasticsearch_7.10', 1_024_000],
    ['.5mb', 'Elasticsearch_7.10', 524_288],
    ['0.3k', 'Elasticsearch_6.8', 307],
    ['-5b', 'Elasticsearch_6.8', -5],
    ['-1kb', 'Elasticsearch_6.8', -1024],
  ] as const)('reads %s in %s', (text, version, bytes) => {
    expect(parseByteSize(text, 'size', version)).toBe(bytes)
  })
})
