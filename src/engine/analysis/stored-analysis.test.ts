import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from './create-index-analyzers.ts'

const chain = (filter: string) => ({
  'index.analysis.analyzer.a.tokenizer': 'whitespace',
  'index.analysis.analyzer.a.filter': filter,
})

describe('analysis of an index that is there already', () => {
  it.each([
    ['a filter that later versions have no longer', chain('standard'), 'The [standard] token filter has been removed.'],
    ['a filter of another name', chain('delimited_payload_filter'), 'failed to find filter under name'],
    [
      'what fails when it is used',
      { ...chain('f'), 'index.analysis.filter.f.type': 'limit', 'index.analysis.filter.f.max_token_count': '0' },
      'maxTokenCount must be greater',
    ],
    ['a component of nothing but nulls', { 'index.analysis.analyzer.a.type': null }, 'a'],
  ])('is opened with %s, which a new one is refused', (_, settings, reason) => {
    expect(() => createIndexAnalyzers(settings, { engineVersion: 'OpenSearch_2.19' })).toThrow(reason)
    expect(() => createIndexAnalyzers(settings, { engineVersion: 'OpenSearch_2.19', isStored: true })).not.toThrow()
  })
})
