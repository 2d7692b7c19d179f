import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { createIndexMapping } from './create-index-mapping.ts'

const engineVersion = 'Elasticsearch_6.8'
const open = (field: object, isStored: boolean) => {
  const analyzers = createIndexAnalyzers({}, { engineVersion })
  const mappings = { _doc: { properties: { a: { type: 'text', ...field } } } }
  return createIndexMapping({ engineVersion, analyzers, settings: {}, mappings, isStored })
}

describe('a mapping of an index that is there already', () => {
  it.each([
    [
      'a gap of texts without places',
      { index_options: 'docs', position_increment_gap: 50 },
      'without positions enabled',
    ],
    ['fielddata of a text that is not indexed', { index: false, fielddata: true }, 'Cannot enable fielddata'],
  ])('is opened with %s, which a new one is refused', (_, field, reason) => {
    expect(() => open(field, false)).toThrow(reason)
    expect(() => open(field, true)).not.toThrow()
  })
})

describe('a completion whose contexts come from a field', () => {
  const openCompletion = (type: string, isStored: boolean) =>
    createIndexMapping({
      engineVersion: 'OpenSearch_2.19',
      analyzers: createIndexAnalyzers({}, { engineVersion: 'OpenSearch_2.19' }),
      settings: {},
      mappings: {
        _doc: { properties: { a: { type: 'completion', contexts: [{ name: 'c', type, path: 'b' }] } } },
      },
      isStored,
    })

  it('is opened where that field is no point, and takes further fields', () => {
    expect(() => openCompletion('geo', false)).toThrow('is not defined in the mapping')
    expect(() => openCompletion('geo', true).merge('_doc', { properties: { d: { type: 'keyword' } } })).not.toThrow()
  })

  it('is read again in documents without that field, which new ones are refused for', () => {
    const mapping = openCompletion('category', true)
    const parse = (isStored: boolean) => mapping.parse('_doc', '1', { a: 'x' }, undefined, undefined, isStored)
    expect(() => parse(false)).toThrow('Contexts are mandatory')
    expect(parse(true).documents[0]?.fields.map(({ field }) => field.path)).toContain('a')
  })
})
