import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import { createIndexMapping } from './create-index-mapping.ts'
import type { IndexMapping } from './index-mapping.ts'
import type { ParsedDocument, ParsedField } from './parsed-document.ts'
import { formatAddress } from './types/ip-address.ts'

// What real servers answered to the cases of vectors/cases.mjs and cases-opensearch.mjs; recorded by
// `node record.mjs URL FILE [CASES]` in vectors/.

type Json = Record<string, unknown>

interface PlainError {
  readonly type: string
  readonly reason: string
  readonly cause?: PlainError
}

interface Recorded {
  readonly server: string
  readonly creates: readonly {
    readonly mapping: Json
    readonly answer: { readonly mapping?: Json; readonly error?: PlainError }
  }[]
  readonly merges: readonly {
    readonly mapping: Json
    readonly update: Json
    readonly answer: { readonly mapping?: Json; readonly error?: PlainError }
  }[]
  readonly documents: readonly {
    readonly mapping: Json
    readonly mappingAfter: Json
    readonly sources: readonly { readonly source: string; readonly error?: PlainError; readonly columns?: Json }[]
  }[]
}

function recorded(file: string): Recorded {
  return JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8')) as Recorded
}

const SETTINGS = {
  'index.analysis.normalizer.low.type': 'custom',
  'index.analysis.normalizer.low.filter': ['lowercase'],
  'index.analysis.analyzer.my.type': 'custom',
  'index.analysis.analyzer.my.tokenizer': 'standard',
}

function create(engineVersion: EngineVersion, mapping: Json): IndexMapping {
  const analyzers = createIndexAnalyzers(SETTINGS, { engineVersion, configDir: '/nonexistent' })
  return createIndexMapping({
    engineVersion,
    analyzers,
    settings: SETTINGS,
    mappings: { _doc: mapping },
    indexName: 'x',
  })
}

function plain(error: unknown): PlainError {
  if (!(error instanceof ServiceError)) throw error
  const { cause } = error.detail
  const reason = error.reason
    .replaceAll(/in index \[.*?\]/g, 'in index [x]')
    // Left out of what was recorded, as what JVMs before 11 do not say.
    .replaceAll(/ \(\S+ and \S+ are in module java\.base of loader 'bootstrap'\)/g, '')
    // Places were not recorded.
    .replace(/^(Can't get text on a \w+) at \d+:\d+$/, '$1')
  return { type: error.type, reason, ...(cause === undefined ? {} : { cause: plain(cause) }) }
}

function outcome(act: () => IndexMapping): { mapping?: Json; error?: PlainError } {
  try {
    return { mapping: act().mapping('_doc') as Json }
  } catch (error) {
    return { error: plain(error) }
  }
}

/** Values of a document as doc values show them: by field, in order, keywords and addresses without duplicates. */
function columns(parsed: ParsedDocument, wanted: readonly string[], version: EngineVersion): Json {
  const root = parsed.documents.at(-1)
  const byField = new Map<string, ParsedField[]>()
  for (const field of root?.fields ?? []) {
    if (!wanted.includes(field.field.path)) continue
    byField.set(field.field.path, [...(byField.get(field.field.path) ?? []), field])
  }
  return Object.fromEntries([...byField].map(([path, fields]) => [path, shown(fields, version)]))
}

function shown(fields: readonly ParsedField[], version: EngineVersion): unknown[] {
  const field = fields[0]?.field
  if (field === undefined) return []
  const values = fields.map(({ value }) => value)
  switch (field.kind) {
    case 'keyword':
      return [...new Set(values as string[])].sort()
    case 'ip':
      return [...new Set(values.map((value) => formatAddress(value as Uint8Array)))].sort()
    case 'boolean':
      return values.map((value) => value === 1).sort()
    case 'date':
      return (values as number[]).sort((left, right) => left - right).map(String)
    case 'geo_point':
      return values.map((value) => {
        const view = new DataView((value as Uint8Array).buffer)
        const [lat, lon] = [view.getFloat64(0, true), view.getFloat64(8, true)]
        return version === 'OpenSearch_2.19' ? `${lat}, ${lon}` : { lat, lon }
      })
    default:
      return values
        .sort((left, right) => Number(left) - Number(right))
        .map((value) => (typeof value === 'bigint' ? String(value) : value))
  }
}

const SERVERS: readonly (readonly [version: EngineVersion, file: string, skipped: readonly string[]])[] = [
  [
    'Elasticsearch_6.8',
    'elasticsearch-6.8.json',
    // Quotes Java's own words on a broken regular expression.
    [
      '{"dynamic_templates":[{"t1":{"match":"*[","match_pattern":"regex","mapping":{}}}]}',
      // The root locale of the recorded server's Java has no full month names.
      '{"d4":"tue JANUARY 01 10:00:00 +0900 2019"}',
    ],
  ],
  [
    'OpenSearch_2.19',
    'opensearch-2.19.json',
    JSON.parse(readFileSync(new URL('vectors/opensearch-2.19-differences.json', import.meta.url), 'utf8')) as string[],
  ],
  ['OpenSearch_2.19', 'newer-opensearch-2.19.json', []],
]

for (const [version, file, skipped] of SERVERS) {
  const { server, creates, merges, documents } = recorded(file)
  describe(`answers as ${server}`, () => {
    describe('to a new mapping', () => {
      for (const { mapping, answer } of creates) {
        const text = JSON.stringify(mapping)
        it.skipIf(skipped.includes(text))(text, () => {
          const ours = outcome(() => create(version, mapping))
          expect(ours).toEqual(answer)
          // 7.x shows the keys in another order; only 6.8's is kept.
          if (version === 'Elasticsearch_6.8') expect(JSON.stringify(ours)).toBe(JSON.stringify(answer))
        })
      }
    })

    describe('to a change of a mapping', () => {
      for (const { mapping, update, answer } of merges) {
        const text = `${JSON.stringify(mapping)} + ${JSON.stringify(update)}`
        it.skipIf(skipped.includes(text))(text, () => {
          expect(outcome(() => create(version, mapping).merge('_doc', update))).toEqual(answer)
        })
      }
    })

    describe('to documents', () => {
      for (const { mapping, mappingAfter, sources } of documents) {
        let current: IndexMapping = create(version, mapping)
        for (const [id, { source, error, columns: expected }] of sources.entries()) {
          const title = `${JSON.stringify(mapping).slice(0, 60)}: ${source}`
          it.skipIf(skipped.includes(source) || skipped.includes(title))(title, () => {
            let parsed: ParsedDocument | undefined
            let ours: PlainError | undefined
            try {
              parsed = current.parse('_doc', String(id), JSON.parse(source) as Json, source)
              if (parsed.mappingUpdate !== undefined) current = current.merge('_doc', parsed.mappingUpdate.mapping)
            } catch (failure) {
              ours = plain(failure)
            }
            expect(ours).toEqual(error)
            if (expected !== undefined && parsed !== undefined) {
              expect(columns(parsed, Object.keys(expected), version)).toEqual(expected)
            }
          })
        }
        const leaves = `${JSON.stringify(mapping).slice(0, 60)}: leaves the mapping as it does`
        it.skipIf(skipped.includes(leaves))(leaves, () => {
          expect(current.mapping('_doc')).toEqual(mappingAfter)
        })
      }
    })
  })
}
