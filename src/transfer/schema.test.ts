import { describe, expect, it } from 'vitest'
import { type IndexSchema, planIndices } from './schema.ts'
import type { ServerInfo } from './server.ts'

const server = (changes: Partial<ServerInfo>): ServerInfo => ({
  distribution: 'elasticsearch',
  version: '6.8.23',
  major: 6,
  typed: true,
  multiType: false,
  seqNoOrder: true,
  ...changes,
})
const OPENSEARCH = server({ distribution: 'opensearch', version: '2.19.3', major: 2, typed: false })
const ELASTICSEARCH_6 = server({})
const CHAJA = server({ multiType: true })

const schema = (changes: Partial<IndexSchema>): IndexSchema => ({ settings: {}, mappings: {}, aliases: {}, ...changes })
const plan = (
  source: Partial<IndexSchema>,
  to: ServerInfo,
  options: { typeRule?: 'split' | 'field'; nori?: boolean } = {},
) => planIndices('to', schema(source), to, { typeRule: options.typeRule ?? 'split', nori: options.nori ?? false })

describe('planIndices', () => {
  it('leaves out what a server gives an index itself', () => {
    const [planned] = plan(
      {
        settings: {
          'index.uuid': 'x',
          'index.creation_date': '1',
          'index.version.created': '6082399',
          'index.provided_name': 'from',
          'index.number_of_shards': '3',
          'index.analysis.analyzer.a.type': 'standard',
        },
      },
      ELASTICSEARCH_6,
    )
    expect(planned?.schema.settings).toEqual({
      'index.number_of_shards': '3',
      'index.analysis.analyzer.a.type': 'standard',
    })
  })

  it('drops the one type where the destination has none, and keeps it where it has', () => {
    const mappings = { movie: { properties: { t: { type: 'text' } } } }
    const [typeless] = plan({ mappings }, OPENSEARCH)
    expect(typeless?.schema.mappings).toEqual({ _doc: mappings.movie })
    expect(typeless?.changes).toEqual(['type [movie] is dropped: the destination has no types'])
    expect(plan({ mappings }, ELASTICSEARCH_6)[0]?.schema.mappings).toEqual(mappings)
  })

  it('makes several types indices of their own, one index with a field, or leaves them', () => {
    const mappings = { Book: { properties: { t: { type: 'text' } } }, _author: { properties: { n: { type: 'long' } } } }
    expect(plan({ mappings }, CHAJA)).toMatchObject([{ name: 'to', types: undefined, changes: [] }])
    expect(plan({ mappings }, OPENSEARCH).map((p) => [p.name, p.types])).toEqual([
      ['to-book', ['Book']],
      ['to-author', ['_author']],
    ])
    expect(plan({ mappings }, ELASTICSEARCH_6).map((p) => Object.keys(p.schema.mappings))).toEqual([
      ['Book'],
      ['_author'],
    ])
    const [field] = plan({ mappings }, OPENSEARCH, { typeRule: 'field' })
    expect(field).toMatchObject({ name: 'to', typeInField: true })
    expect(field?.schema.mappings['_doc']?.['properties']).toEqual({
      type: { type: 'keyword' },
      t: { type: 'text' },
      n: { type: 'long' },
    })
  })

  it('leaves out _all and include_in_all, gone since 6.0', () => {
    const mapping = { _all: { enabled: false }, properties: { t: { type: 'text', include_in_all: false } } }
    const [planned] = plan({ mappings: { t: mapping } }, OPENSEARCH)
    expect(planned?.schema.mappings['_doc']).toEqual({ properties: { t: { type: 'text' } } })
    expect(planned?.changes).toHaveLength(3)
  })

  it('turns seunjeon into nori when asked, with the user words in its form', () => {
    const settings = {
      'index.analysis.analyzer.korean.type': 'custom',
      'index.analysis.analyzer.korean.tokenizer': 'seunjeon',
      'index.analysis.analyzer.plain.type': 'seunjeon_analyzer',
      'index.analysis.tokenizer.seunjeon.type': 'seunjeon_tokenizer',
      'index.analysis.tokenizer.seunjeon.index_eojeol': 'false',
      'index.analysis.tokenizer.seunjeon.user_words.0': '낄끼+빠빠,-100',
      'index.analysis.tokenizer.seunjeon.user_words.1': '버카충',
    }
    expect(plan({ settings }, OPENSEARCH)[0]?.schema.settings).toEqual(settings)
    const [planned] = plan({ settings }, OPENSEARCH, { nori: true })
    expect(planned?.schema.settings).toEqual({
      'index.analysis.analyzer.korean.type': 'custom',
      'index.analysis.analyzer.korean.tokenizer': 'seunjeon',
      'index.analysis.analyzer.plain.type': 'nori',
      'index.analysis.tokenizer.seunjeon.type': 'nori_tokenizer',
      'index.analysis.tokenizer.seunjeon.decompound_mode': 'mixed',
      'index.analysis.tokenizer.seunjeon.user_dictionary_rules': ['낄끼빠빠 낄끼 빠빠', '버카충'],
    })
    expect(planned?.changes).toHaveLength(2)
  })
})
