import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import { createIndexMapping } from './create-index-mapping.ts'
import type { IndexMapping } from './index-mapping.ts'
import type { ParsedDocument } from './parsed-document.ts'

type Json = Record<string, unknown>

function create(
  mappings: Record<string, Json>,
  engineVersion: EngineVersion = 'Elasticsearch_6.8',
  settings: Record<string, string> = {},
): IndexMapping {
  const analyzers = createIndexAnalyzers({}, { engineVersion })
  return createIndexMapping({ engineVersion, analyzers, settings, mappings, indexName: 'books' })
}

function parse(mapping: IndexMapping, json: string, type = '_doc'): ParsedDocument {
  return mapping.parse(type, '1', JSON.parse(json) as Json, json)
}

function values({ documents }: ParsedDocument, path: string): unknown[] {
  return documents.flatMap(({ fields }) => fields.filter(({ field }) => field.path === path).map(({ value }) => value))
}

function failure(act: () => unknown): ServiceError {
  try {
    act()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('a constant', () => {
  // OpenSearch 2.19.3's answers.
  const field = { type: 'constant_keyword', value: 'Prod' }
  const mapping = create({ _doc: { properties: { c: field } } }, 'OpenSearch_2.19')

  it('is taken where a document says the same, and nothing is indexed of it', () => {
    for (const json of ['{}', '{"c":"Prod"}', '{"c":["Prod","Prod"]}', '{"c":[]}'])
      expect(values(parse(mapping, json), 'c')).toEqual([])
  })

  it('refuses every other value, and null', () => {
    const reason = (json: string): string =>
      (failure(() => parse(mapping, json)).detail.cause as ServiceError | undefined)?.reason ?? ''
    expect(reason('{"c":"prod"}')).toBe('constant keyword field [c] must have a value of [Prod]')
    expect(reason('{"c":["Prod",5]}')).toBe('constant keyword field [c] must have a value of [Prod]')
    expect(reason('{"c":null}')).toBe('constant keyword field [c] must have a value')
  })

  it('cannot be mapped without its value, or changed', () => {
    const other = { _doc: { properties: { c: { ...field, value: 'other' } } } }
    expect(failure(() => mapping.merge('_doc', other._doc)).reason).toContain(
      'Cannot update parameter [value] from [Prod] to [other]',
    )
    expect(
      failure(() => create({ _doc: { properties: { c: { type: 'constant_keyword' } } } }, 'OpenSearch_2.19')).reason,
    ).toContain('Field [c] is missing required parameter [value]')
  })
})

describe('a mapping that grows', () => {
  const before = create(
    {
      _doc: {
        properties: { n: { type: 'long' }, o: { properties: { n: { type: 'long' }, p: { properties: {} } } } },
      },
    },
    'OpenSearch_2.19',
  )

  it('keeps the fields that stay as they are', () => {
    const grown = before.merge('_doc', {
      properties: { more: { type: 'date' }, o: { properties: { x: { type: 'ip' } } } },
    })
    expect(grown.field('n')).toBe(before.field('n'))
    expect(grown.field('o.n')).toBe(before.field('o.n'))
    expect(values(parse(grown, '{"n":1,"o":{"n":2,"x":"::1"},"more":3}'), 'o.n')).toEqual(
      values(parse(before, '{"o":{"n":2}}'), 'o.n'),
    )
  })

  it('makes those anew that take something from what changed around them', () => {
    const strict = before.merge('_doc', { dynamic: 'strict' })
    expect(failure(() => parse(strict, '{"o":{"p":{"y":1}}}')).type).toBe('strict_dynamic_mapping_exception')
    const lenient = before.withSettings({ 'index.mapping.ignore_malformed': 'true' })
    const grown = lenient.merge('_doc', { properties: { more: { type: 'long' } } })
    expect(values(parse(grown, '{"n":"x","more":"y"}'), '_ignored')).toEqual(['n', 'more'])
  })
})

describe('a document', () => {
  it('comes back with the mapping of its new fields, which merges', () => {
    const mapping = create({})
    const parsed = parse(mapping, '{"title":"x","year":1999,"price":10.0,"at":"2019-01-01"}', 'book')
    expect(parsed.mappingUpdate).toEqual({
      type: 'book',
      mapping: {
        properties: {
          at: { type: 'date' },
          price: { type: 'float' },
          title: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
          year: { type: 'long' },
        },
      },
    })
    const merged = mapping.merge('book', parsed.mappingUpdate?.mapping ?? {})
    expect(merged.types).toEqual(['book'])
    expect(parse(merged, '{"title":"y","year":2000}', 'book').mappingUpdate).toBeUndefined()
    expect(values(parsed, 'title.keyword')).toEqual(['x'])
    expect(values(parsed, 'at')).toEqual([Date.UTC(2019, 0, 1)])
  })

  it('leaves the mapping it was parsed with as it was', () => {
    const mapping = create({ _doc: {} })
    parse(mapping, '{"a":1}')
    expect(mapping.mapping('_doc')).toEqual({})
    expect(mapping.field('a')).toBeUndefined()
  })

  it('keeps whole numbers beyond 2^53 exactly, given the text or bigints', () => {
    const mapping = create({ _doc: { properties: { n: { type: 'long' } } } })
    expect(values(parse(mapping, '{"n":[9007199254740993,9007199254740992,5]}'), 'n')).toEqual([
      9007199254740993n,
      9007199254740992n,
      5,
    ])
    expect(values(mapping.parse('_doc', '1', { n: 9223372036854775807n }), 'n')).toEqual([9223372036854775807n])
    expect(values(mapping.parse('_doc', '1', { n: '9223372036854775807' }), 'n')).toEqual([9223372036854775807n])
    expect(values(mapping.parse('_doc', '1', { n: 2 ** 60 }), 'n')).toEqual([2n ** 60n])
  })

  it('gives text fields the digits as written', () => {
    const mapping = create({ _doc: { properties: { k: { type: 'keyword' }, t: { type: 'text' } } } })
    const parsed = parse(mapping, '{"k":[1.0,1e3,0.10,5,12345678901234567890,true],"t":7.50}')
    expect(values(parsed, 'k')).toEqual(['1.0', '1e3', '0.10', '5', '12345678901234567890', 'true'])
    expect(values(parsed, 't')).toEqual(['7.50'])
  })

  it('opens arrays in arrays, 900 deep, and refuses 5,000 with a 400', () => {
    for (const mapping of [create({}), create({ _doc: { properties: { a: { type: 'long' } } } })]) {
      const nested = (depth: number): string => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`
      expect(values(parse(mapping, nested(900)), 'a')).toEqual([1])
      const error = failure(() => parse(mapping, nested(5000)))
      expect([error.status, error.type, error.reason]).toEqual([400, 'mapper_parsing_exception', 'failed to parse'])
    }
  })

  it('refuses 5,000 nested objects with a 400, known or not', () => {
    const source = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    expect(failure(() => parse(create({}), source)).status).toBe(400)
    const ignoring = create({ _doc: { dynamic: false } })
    expect(parse(ignoring, source).mappingUpdate).toBeUndefined()
    const disabled = create({ _doc: { properties: { a: { enabled: false } } } })
    expect(parse(disabled, source).documents).toHaveLength(1)
  })

  it('refuses objects deeper than the mapping may be', () => {
    const source = `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`
    expect(failure(() => parse(create({}), source)).reason).toMatch(
      /^Limit of mapping depth \[20\] in index \[books\] has been exceeded due to object field \[a\.a\./,
    )
  })

  it('limits arrays in arrays as OpenSearch does where that is the dialect', () => {
    const source = `{"a":${'['.repeat(21)}1${']'.repeat(21)}}`
    const error = failure(() => parse(create({}, 'OpenSearch_2.19'), source))
    expect(error.detail.cause?.reason).toBe(
      'The depth of the nested array field has exceeded the allowed limit of [20]. This limit can be set by changing the [index.mapping.depth.limit] index level setting.',
    )
  })

  it('takes names that JavaScript objects have a meaning for', () => {
    const mapping = create({})
    const parsed = parse(mapping, '{"__proto__":{"x":1},"constructor":2,"toString":"y","hasOwnProperty":true}')
    const merged = mapping.merge('_doc', parsed.mappingUpdate?.mapping ?? {})
    expect(Object.keys((merged.mapping('_doc') as { properties: object }).properties)).toEqual([
      '__proto__',
      'constructor',
      'hasOwnProperty',
      'toString',
    ])
    expect(merged.field('__proto__.x')?.kind).toBe('number')
    expect(({} as Json)['x']).toBeUndefined()
  })
})

describe('nested objects', () => {
  const mapping = create({
    _doc: {
      properties: {
        a: {
          type: 'nested',
          include_in_root: true,
          properties: {
            v: { type: 'long' },
            b: { type: 'nested', include_in_parent: true, properties: { w: { type: 'long' } } },
          },
        },
        r: { type: 'long' },
      },
    },
  })

  it('stand before the object around them, in the order of the document, the root last', () => {
    const parsed = parse(mapping, '{"r":0,"a":[{"v":1,"b":[{"w":11},{"w":12}]},{"v":2}]}')
    const shape = parsed.documents.map(({ nestedPath, fields }) => [
      nestedPath,
      fields.map(({ field, value }) => `${field.path}=${value}`).join(' '),
    ])
    expect(shape).toEqual([
      ['a.b', 'a.b.w=11'],
      ['a.b', 'a.b.w=12'],
      ['a', 'a.v=1 a.b.w=11 a.b.w=12'],
      ['a', 'a.v=2'],
      [undefined, 'r=0 a.v=1 a.b.w=11 a.b.w=12 a.v=2'],
    ])
  })

  it('are known by path', () => {
    expect(mapping.isNested('a.b')).toBe(true)
    expect(mapping.isObject('a')).toBe(true)
    expect(mapping.field('a.b.w')?.nestedPath).toBe('a.b')
  })
})

describe('fields for exists', () => {
  it('name those that have neither doc values nor norms, and their objects', () => {
    const mapping = create({
      _doc: {
        properties: {
          o: {
            properties: {
              t: { type: 'text', norms: false },
              k: { type: 'keyword', doc_values: false },
              l: { type: 'long' },
            },
          },
          x: { type: 'long', doc_values: false, index: false },
        },
      },
    })
    const [root] = parse(mapping, '{"o":{"t":"a","k":"b","l":1},"x":1}').documents
    expect([...(root?.fieldNames ?? [])].sort()).toEqual(['o', 'o.k', 'o.t'])
  })
})

describe('several types of one index', () => {
  it('share their fields and must map them alike', () => {
    const mapping = create({ book: { properties: { n: { type: 'long' }, t: { type: 'text' } } } })
    expect(failure(() => mapping.merge('film', { properties: { n: { type: 'text' } } })).reason).toBe(
      'mapper [n] cannot be changed from type [long] to [text]',
    )
    expect(failure(() => mapping.merge('film', { properties: { t: { type: 'text', index: false } } })).reason).toBe(
      'Mapper for [t] conflicts with existing mapping in other types:\n[mapper [t] has different [index] values]',
    )
    expect(failure(() => mapping.merge('film', { properties: { n: { type: 'object' } } })).reason).toBe(
      '[n] is defined as an object in mapping [film] but this name is already used for a field in other types',
    )
    const both = mapping.merge('film', { properties: { t: { type: 'text' }, m: { type: 'date' } } })
    expect(both.types).toEqual(['book', 'film'])
    expect(both.matchFields('*')).toEqual(['t', 'n', 'm'])
  })

  it('give a new field the mapping that another type has for it', () => {
    const mapping = create({ book: { properties: { code: { type: 'keyword' } } }, film: {} })
    expect(parse(mapping, '{"code":"7"}', 'film').mappingUpdate?.mapping).toEqual({
      properties: { code: { type: 'keyword' } },
    })
  })
})

describe('an index of a single type', () => {
  it('takes no second one', () => {
    const reason = 'Rejecting mapping update to [books] as the final mapping would have more than 1 type: [_doc, foo]'
    const single = create({ _doc: {} }, 'Elasticsearch_6.8', { 'index.mapping.single_type': 'true' })
    expect(failure(() => single.merge('foo', {})).reason).toBe(reason)
    expect(failure(() => create({ _doc: {} }, 'Elasticsearch_7.10').merge('foo', {})).reason).toBe(reason)
  })
})

describe('similarities', () => {
  const withText = (settings: Record<string, string>, similarity: string): IndexMapping =>
    create({ _doc: { properties: { t: { type: 'text', similarity } } } }, 'Elasticsearch_6.8', settings)
  it('of the settings carry their parameters', () => {
    const mapping = withText({ 'index.similarity.x.type': 'BM25', 'index.similarity.x.b': '0.1' }, 'x')
    expect(mapping.field('t')).toMatchObject({ similarity: 'BM25', similarityParameters: { b: 0.1 } })
    expect(withText({}, 'boolean').field('t')).toMatchObject({ similarity: 'boolean' })
    const byDefault = create({ _doc: { properties: { t: { type: 'text' } } } }, 'Elasticsearch_6.8', {
      'index.similarity.default.type': 'boolean',
    })
    expect(byDefault.field('t')).toMatchObject({ similarity: 'boolean' })
  })
  it('are checked when the index is made', () => {
    const reason = (settings: Record<string, string>): string => failure(() => withText(settings, 'BM25')).reason
    expect(reason({ 'index.similarity.x.type': 'BM25', 'index.similarity.x.k1': 'x' })).toBe(
      'Failed to parse float setting [k1] with value [x]',
    )
    expect(reason({ 'index.similarity.x.type': 'BM25', 'index.similarity.x.b': '2' })).toBe(
      'illegal b value: 2.0, must be between 0 and 1',
    )
    expect(reason({ 'index.similarity.x.type': 'nope' })).toBe('Unknown Similarity type [nope] for [x]')
    expect(reason({ 'index.similarity.x.b': '0.1' })).toBe('Similarity [x] must have an associated type')
    expect(reason({ 'index.similarity.BM25.type': 'BM25' })).toBe(
      'illegal value for [index.similarity.BM25] cannot redefine built-in similarity',
    )
  })
})

describe('limits', () => {
  it('refuse too many fields, nested objects and levels', () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, { type: 'long' }]))
    expect(failure(() => create({ _doc: { properties: many } })).reason).toBe(
      'Limit of total fields [1000] in index [books] has been exceeded',
    )
    const nested = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: 'nested' }]))
    expect(failure(() => create({ _doc: { properties: nested } })).reason).toBe(
      'Limit of nested fields [50] in index [books] has been exceeded',
    )
  })
})

describe('field aliases', () => {
  const mapping = create({ _doc: { properties: { a: { type: 'long' }, b: { type: 'alias', path: 'a' } } } })
  it('resolve to their field and cannot be written to', () => {
    expect(mapping.field('b')?.path).toBe('a')
    expect(mapping.matchFields('*')).toEqual(['a', 'b'])
    expect(failure(() => parse(mapping, '{"b":1}')).detail.cause?.reason).toBe('Cannot write to a field alias [b].')
  })
})

describe('parsing a typical document', () => {
  it('takes microseconds', () => {
    const mapping = create({})
    const movie =
      '{"title":"The Matrix","year":1999,"cast":["Keanu Reeves","Laurence Fishburne"],"genres":["Action"],"href":"The_Matrix","extract":"A film","width":300}'
    const known = mapping.merge('_doc', parse(mapping, movie).mappingUpdate?.mapping ?? {})
    const source = JSON.parse(movie) as Json
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 20; round++) {
      const started = performance.now()
      for (let i = 0; i < 1_000; i++) known.parse('_doc', '1', source, movie)
      least = Math.min(least, performance.now() - started)
    }
    // Milliseconds for a thousand: 1.1 measured. The quickest round of a busy machine; the bound only catches a change of order.
    expect(least).toBeLessThan(50)
  })
})

describe('a dynamic template by a regular expression', () => {
  const template = (match: string) => ({
    _doc: { dynamic_templates: [{ t: { match, match_pattern: 'regex', mapping: { type: 'keyword' } } }] },
  })

  it('is for names that fit it as a whole', () => {
    const mapping = create(template('a+|\\p{Lower}9'))
    const { mappingUpdate } = parse(mapping, '{"aa":"1","x9":"1","aab":"1"}')
    const types = Object.entries(mappingUpdate?.mapping['properties'] as Record<string, Json>)
    expect(types.filter(([, { type }]) => type === 'keyword').map(([name]) => name)).toEqual(['aa', 'x9'])
  })

  it('is given up where it takes for ever', () => {
    const mapping = create(template('(a+)+b'))
    const error = failure(() => parse(mapping, `{"${'a'.repeat(60)}":1}`))
    expect(String((error.cause as Error).message)).toContain('takes longer than')
  })
})
