import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { OpenIndices } from '../../engine/indices/open-indices.ts'

// What Elasticsearch 6.8.23 answers about a join field; recorded by `node record-joins.mjs URL FILE` in vectors.

interface Cause {
  readonly type: string
  readonly reason: string
}

interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: object | string
  readonly refresh?: true
  /** Of an index of its own, and what it is updated with. */
  readonly mapping?: object
  readonly update?: object
  readonly answer: {
    readonly status: number
    /** From `"hits":` on. */
    readonly text?: string
    readonly type?: string
    readonly root?: Cause
    readonly cause?: Cause
    readonly mapping?: object
  }
}

interface Recorded {
  readonly mapping: object
  readonly documents: readonly { readonly id: string; readonly routing?: string; readonly source: object }[]
  readonly cases: readonly Case[]
}

const recorded = JSON.parse(
  readFileSync(new URL('vectors/join-elasticsearch-6.8.json', import.meta.url), 'utf8'),
) as Recorded
const settings = { number_of_shards: 1, number_of_replicas: 0 }

/** Faults whose own text is not this field's affair: the real server quotes the query that could not be made. */
const placeless = (reason: string): string => reason.replace(/\[\d+:\d+\] /g, '').replace(/ at \[\d+:\d+\]/, '')
const quoteless = (reason: string): string => reason.replace(/^failed to create query: .*$/s, 'failed to create query')

// Explanations tell documents' numbers in their segments: on a slow machine a second ends one where the real server's went on.
vi.spyOn(OpenIndices.prototype, 'scheduleRefresh').mockImplementation(() => {})

describe('join fields as Elasticsearch 6.8 answers about them', () => {
  let rest: Rest

  const ask = async (method: string, path: string, body?: object | string) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await askBackend(rest.backend, method, path, text)
    return { status: answer.status, text: String(answer.body) }
  }

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8')
    const created = await ask('PUT', '/recorded', { settings, mappings: { _doc: recorded.mapping } })
    expect(created.status, created.text).toBe(200)
    for (let from = 0; from < recorded.documents.length; from += 50) {
      const lines = recorded.documents.slice(from, from + 50).flatMap(({ id, routing, source }) => {
        const index = { _index: 'recorded', _type: '_doc', _id: id, ...(routing === undefined ? {} : { routing }) }
        return [JSON.stringify({ index }), JSON.stringify(source)]
      })
      const loaded = await ask('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)
      expect(loaded.text).toContain('"errors":false')
    }
  })

  afterAll(() => rest.close())

  const asked = async (one: Case): Promise<{ status: number; text: string }> => {
    if (one.mapping === undefined) {
      if (one.refresh) await ask('POST', '/recorded/_refresh')
      return await ask(one.method, `/recorded${one.path}`, one.body)
    }
    const mappings = { _doc: { properties: one.mapping } }
    const created = await ask('PUT', '/recorded-mapping', { settings, mappings })
    if (one.update === undefined) return created
    return await ask('PUT', '/recorded-mapping/_mapping/_doc', { properties: one.update })
  }

  it.each(recorded.cases.map((one) => [one.name, one] as const))('answer %s', async (_, one) => {
    const { status, text } = await asked(one)
    if (one.mapping !== undefined) {
      const shown = await ask('GET', '/recorded-mapping/_mapping')
      await ask('DELETE', '/recorded-mapping')
      const { 'recorded-mapping': found } = JSON.parse(shown.text) as {
        'recorded-mapping'?: { mappings: { _doc: object } }
      }
      expect(found?.mappings._doc).toEqual(one.answer.mapping)
    }
    const { answer } = one
    if (answer.text !== undefined) {
      expect(text.slice(text.indexOf('"hits":')).replace(/"_node":"[^"]*"/g, '"_node":""')).toBe(answer.text)
    } else if (answer.root !== undefined) {
      const { error } = JSON.parse(text) as { error: { type: string; root_cause: Cause[]; caused_by?: Cause } }
      const [root] = error.root_cause
      expect({
        type: error.type,
        root: { type: root?.type, reason: quoteless(placeless(root?.reason ?? '')) },
      }).toEqual({
        type: answer.type,
        root: { type: answer.root.type, reason: quoteless(answer.root.reason) },
      })
      if (answer.cause !== undefined) expect(placeless(error.caused_by?.reason ?? '')).toBe(answer.cause.reason)
    }
    // What the real server takes for its own fault may be the request's here.
    expect(status === 400 && answer.status === 500 ? 500 : status).toBe(answer.status)
  })
})
