import { expect, it } from 'vitest'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { analysisUsage, fieldTypes } from './cluster-usage.ts'

const index: IndexMetadata = {
  name: 'a',
  uuid: 'u',
  creationDate: 0,
  state: 'open',
  aliases: {},
  settings: {
    'index.analysis.analyzer.a1.tokenizer': 'standard',
    'index.analysis.analyzer.a1.filter': ['lowercase', 'f1'],
    'index.analysis.analyzer.whitespace.type': 'simple',
    'index.analysis.filter.f1.type': 'stop',
  },
  mappings: {
    _doc: {
      properties: {
        o: { properties: { x: { type: 'keyword' } } },
        t: { type: 'text', analyzer: 'a1', search_analyzer: 'whitespace', fields: { k: { type: 'keyword' } } },
        u: { type: 'text', analyzer: 'keyword' },
      },
    },
  },
}

it('counts types of fields, within objects and multi-fields too', () => {
  expect(fieldTypes([index, { ...index, name: 'b' }])).toEqual({
    field_types: [
      { name: 'keyword', count: 4, index_count: 2 },
      { name: 'object', count: 2, index_count: 2 },
      { name: 'text', count: 4, index_count: 2 },
    ],
  })
})

it('tells what an index defines for analysis, and what it takes of what is there', () => {
  const once = (name: string) => ({ name, count: 1, index_count: 1 })
  expect(analysisUsage([index])).toEqual({
    char_filter_types: [],
    tokenizer_types: [],
    filter_types: [once('stop')],
    analyzer_types: [once('custom'), once('simple')],
    built_in_char_filters: [],
    built_in_tokenizers: [once('standard')],
    built_in_filters: [once('lowercase')],
    built_in_analyzers: [once('keyword')],
  })
})
