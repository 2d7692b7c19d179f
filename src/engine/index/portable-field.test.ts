import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { createIndexMapping } from '../mapping/create-index-mapping.ts'
import { DocumentBatchWriter } from './document-batch.ts'
import { portableField, readField } from './portable-field.ts'
import { SegmentBuilder } from './segment-builder.ts'

const analyzers = createIndexAnalyzers({}, { engineVersion: 'Elasticsearch_6.8' })
const mapping = createIndexMapping({
  engineVersion: 'Elasticsearch_6.8',
  analyzers,
  settings: {},
  mappings: { _doc: { properties: { t: { type: 'text', index_phrases: true, index_prefixes: { max_chars: 3 } } } } },
})

describe('a field that another thread inverts', () => {
  it('makes the pairs and the beginnings of its words there as it does here', () => {
    const here = new SegmentBuilder()
    const there = new SegmentBuilder()
    const writer = new DocumentBatchWriter()
    for (const [i, t] of ['one two three', ['four five', 'six'], 'seven'].entries()) {
      const parsed = mapping.parse('_doc', String(i), { t })
      here.add(i, '_doc', parsed)
      writer.add(i, '_doc', parsed)
    }
    const batch = writer.take()
    const carried = structuredClone(batch.newFields.map(portableField))
    there.addBatch({ ...batch, newFields: carried.map((field) => readField(field, analyzers)) })
    expect(Object.keys(here.draft().fields)).toEqual(['t', 't._index_phrase', 't._index_prefix', '_field_names'])
    expect(Buffer.from(there.finish())).toEqual(Buffer.from(here.finish()))
  })
})
