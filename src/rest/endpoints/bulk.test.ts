import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WriteResult } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { DeprecationLog, Warnings } from '../deprecation/warnings.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import { bulkItemText, renderBulkItem } from '../documents/bulk-answer.ts'
import { type BulkItem, readBulkItems } from '../documents/bulk-items.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { writeJson } from '../json/json-writer.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

const name = fc.oneof(
  fc.constantFrom('a', '_doc', '_x', '', '한글', '\u{1F600}', 'a"b', 'a\\b', 'x'.repeat(512), 'x'.repeat(513)),
  fc.string({ unit: 'binary-ascii' }),
)

describe('items of a bulk', () => {
  it('are read from plain lines as from any others', () => {
    const action = fc.record({
      name: fc.constantFrom('index', 'create', 'update', 'delete'),
      meta: fc.record(
        {
          _index: name,
          _type: name,
          _id: name,
          version: fc.oneof(fc.nat(), fc.constantFrom(0, 999_999_999_999_999, 2 ** 53)),
          version_type: fc.constantFrom('internal', 'external', 'external_gte', 'force'),
          routing: name,
        },
        { requiredKeys: [] },
      ),
      space: fc.constantFrom(undefined, 1),
    })
    const read = (body: string, allowExplicitIndex: boolean, index: string | undefined) => {
      const parameters = new RequestParameters(new Map())
      const dialect = DIALECTS['Elasticsearch_6.8']
      const warnings = new Warnings(new DeprecationLog(dialect), undefined)
      const request = { body: Buffer.from(body), path: { index }, parameters, dialect, warnings }
      try {
        const context = {
          allowExplicitIndex,
          engine: { indices: new Map(), templates: new Map(), extras: { entries: () => [] } },
        }
        return [...readBulkItems(request as unknown as EndpointRequest, context as unknown as RestContext)]
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return error.reason
      }
    }
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 4 }),
        fc.boolean(),
        fc.option(name, { nil: undefined }),
        (all, explicit, index) => {
          // A blank in front is enough for a line to be read the plain way.
          const body = (blank: string) =>
            all
              .map((item) => {
                const text = JSON.stringify({ [item.name]: item.meta }, undefined, item.space).replaceAll(
                  /\n */g,
                  item.space === undefined ? '' : ' ',
                )
                const line = text.replaceAll('{ "', '{"').replaceAll('" }', '"}').replaceAll('} }', '}}')
                return `${blank}${line}\n${item.name === 'delete' ? '' : '{"doc":{}}\n'}`
              })
              .join('')
          expect(read(body(''), explicit, index)).toEqual(read(body(' '), explicit, index))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('have the id that was made for them where a block of their index refuses them', () => {
    const metadata = { name: 'a', settings: {} } as unknown as IndexMetadata
    const item = { action: 'index', index: 'a', type: '_doc', id: undefined } as unknown as BulkItem
    const idOf = (type: 'cluster_block_exception' | 'illegal_argument_exception'): unknown => {
      const all = { metadata, result: new ServiceError(type, 'no') }
      const { json } = renderBulkItem(DIALECTS['OpenSearch_2.19'], item, all, false)
      return (json as { readonly index: { readonly _id: unknown } }).index._id
    }
    expect(idOf('cluster_block_exception')).toMatch(/^[\w-]{20}$/)
    expect(idOf('illegal_argument_exception')).toBeNull()
  })

  it('are answered in text as in objects', () => {
    const result = fc.record({
      ok: fc.constant(true as const),
      result: fc.constantFrom('created', 'updated', 'deleted', 'not_found', 'noop'),
      type: name,
      id: name,
      version: fc.nat(),
      seqNo: fc.nat(),
      primaryTerm: fc.constant(1),
      source: fc.constantFrom(undefined, Buffer.from('{}')),
    })
    const asked = fc.constantFrom(
      { action: 'index', source: undefined },
      { action: 'update', source: undefined },
      { action: 'update', source: { enabled: false, includes: [], excludes: [] } },
    )
    const settings = fc.constantFrom({}, { 'index.number_of_replicas': '0' }, { 'index.number_of_replicas': '2' })
    const engine = fc.constantFrom(
      'Elasticsearch_6.8' as const,
      'Elasticsearch_7.10' as const,
      'OpenSearch_2.19' as const,
    )
    fc.assert(
      fc.property(
        result,
        asked,
        settings,
        name,
        engine,
        fc.boolean(),
        (written, shown, set, type, version, refreshed) => {
          const metadata = { name: 'an-index', settings: set } as unknown as IndexMetadata
          const item = { ...shown, index: 'alias', type, id: undefined } as unknown as BulkItem
          const all = { metadata, result: written as WriteResult }
          const { json, failed } = renderBulkItem(DIALECTS[version], item, all, refreshed)
          expect(bulkItemText(DIALECTS[version], item, all, refreshed)).toBe(writeJson(json))
          expect(failed).toBe(false)
        },
      ),
    )
  })
})
