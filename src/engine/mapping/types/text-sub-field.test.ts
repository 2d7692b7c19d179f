import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../../analysis/create-index-analyzers.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { createIndexMapping } from '../create-index-mapping.ts'

function fields(t: object, engineVersion: EngineVersion = 'Elasticsearch_6.8'): readonly string[] {
  const analyzers = createIndexAnalyzers({}, { engineVersion })
  const mappings = { _doc: { properties: { t: { type: 'text', ...t } } } }
  return createIndexMapping({ engineVersion, analyzers, settings: {}, mappings }).matchFields('*')
}

describe('a text field with indexed phrases and prefixes', () => {
  it('makes fields of its own for them', () => {
    expect(fields({ index_phrases: true, index_prefixes: {} })).toEqual(['t', 't._index_phrase', 't._index_prefix'])
    expect(fields({ index_phrases: false })).toEqual(['t'])
  })

  it('is refused where it is not indexed as they need it', () => {
    const wrong = 'Failed to parse mapping [_doc]: Cannot set'
    expect(() => fields({ index: false, index_prefixes: {} })).toThrow(`${wrong} index_prefixes on unindexed field [t]`)
    expect(() => fields({ index: false, index_phrases: true })).toThrow(`${wrong} index_phrases on unindexed field [t]`)
    expect(() => fields({ index_options: 'freqs', index_phrases: true })).toThrow(
      `${wrong} index_phrases on field [t] if positions are not enabled`,
    )
  })

  it('cannot have multi-fields of their names', () => {
    const twice = { index_phrases: true, fields: { _index_phrase: { type: 'keyword' } } }
    expect(() => fields(twice)).toThrow('Field [t._index_phrase] is defined twice in [_doc]')
    expect(() => fields(twice, 'OpenSearch_2.19')).toThrow('Field [t._index_phrase] is defined more than once')
  })
})
