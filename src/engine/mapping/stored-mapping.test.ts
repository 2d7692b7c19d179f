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
