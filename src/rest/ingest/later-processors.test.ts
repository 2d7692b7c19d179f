import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-ingest-later-'))
let backend: Backend

beforeAll(async () => {
  const log = (): void => {}
  const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log })
  backend = createRestBackend(engine, { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'later', dataDir })
})

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Answer = { readonly [name: string]: never }

async function simulate(processors: readonly object[], source: object, query = ''): Promise<Answer> {
  const body = { pipeline: { processors }, docs: [{ _source: source }] }
  const answer = await askBackend(backend, 'POST', `/_ingest/pipeline/_simulate${query}`, body)
  return JSON.parse(String(answer.body)) as Answer
}

async function sourceAfter(processor: object, source: object): Promise<unknown> {
  const { docs } = (await simulate([processor], source)) as unknown as {
    docs: readonly [{ doc?: { _source: unknown }; error?: { reason: string } }]
  }
  return docs[0].doc?._source ?? docs[0].error?.reason
}

describe('the processors of OpenSearch', () => {
  it.each([
    [
      { csv: { field: 'm', target_fields: ['a', 'b', 'c.d'] } },
      { m: 'x,"y ""z"", w",3,4' },
      { a: 'x', b: 'y "z", w', c: { d: '3' } },
    ],
    [
      { csv: { field: 'm', target_fields: ['a', 'b'], trim: true, empty_value: '-' } },
      { m: '  x ,, z' },
      { a: 'x', b: '-' },
    ],
    [{ html_strip: { field: 'm', target_field: 'a' } }, { m: '<b>b</b> &amp; c' }, { a: 'b & c' }],
    [{ copy: { source_field: 'm', target_field: 'a' } }, { m: { x: 1 } }, { a: { x: 1 } }],
    [{ append: { field: 'a', value: ['x', 'y'], allow_duplicates: false } }, { m: 1, a: ['x'] }, { a: ['x', 'y'] }],
    [
      { split: { field: 'm', separator: ',', target_field: 'a', preserve_trailing: true } },
      { m: 'x,,' },
      { a: ['x', '', ''] },
    ],
    [
      { date: { field: 'm', formats: ['yyyy/MM/dd'], output_format: 'dd.MM.yyyy', target_field: 'a' } },
      { m: '2020/01/02' },
      { a: '02.01.2020' },
    ],
  ])('%j makes of %j also %j', async (processor, source, made) => {
    expect(await sourceAfter(processor, source)).toEqual({ ...source, ...made })
  })

  it('remove fields by patterns, or all but some', async () => {
    const source = { ab: 1, ac: 2, d: 3 }
    expect(await sourceAfter({ remove_by_pattern: { field_pattern: 'a*' } }, source)).toEqual({ d: 3 })
    expect(await sourceAfter({ remove_by_pattern: { exclude_field_pattern: ['a*'] } }, source)).toEqual({
      ab: 1,
      ac: 2,
    })
    expect(await sourceAfter({ remove: { exclude_field: ['d'] } }, source)).toEqual({ d: 3 })
    expect(await sourceAfter({ remove: { field: 'nix' } }, source)).toBe("field [nix] doesn't exist")
    expect(await sourceAfter({ remove: { field: '_index' } }, source)).toBe('cannot remove metadata field [_index]')
  })

  it('hash fields in their order, whatever the document’s is', async () => {
    const one = await sourceAfter({ fingerprint: { fields: ['a', 'o'] } }, { a: 'x', o: { q: 1, p: 'y' } })
    const other = await sourceAfter({ fingerprint: { fields: ['o', 'a'] } }, { o: { p: 'y', q: 1 }, a: 'x' })
    const { fingerprint } = one as { fingerprint: string }
    expect(fingerprint).toMatch(/^SHA-1@2\.16\.0:/)
    expect((other as { fingerprint: string }).fingerprint).toBe(fingerprint)
  })
})

describe('a simulation step by step', () => {
  it('tells the status of each step', async () => {
    const processors = [
      { set: { field: 'a', value: 1, if: 'ctx.m == null', description: 'never' } },
      { grok: { field: 'm', patterns: ['%{NUMBER:n}'], ignore_failure: true, tag: 't' } },
      { drop: {} },
      { set: { field: 'b', value: 1 } },
    ]
    const { docs } = (await simulate(processors, { m: 'x' }, '?verbose')) as unknown as {
      docs: readonly [{ processor_results: readonly object[] }]
    }
    const reason = 'Provided Grok expressions do not match field value: [x]'
    expect(docs[0].processor_results).toMatchObject([
      {
        processor_type: 'set',
        status: 'skipped',
        description: 'never',
        if: { condition: 'ctx.m == null', result: false },
      },
      {
        processor_type: 'grok',
        status: 'error_ignored',
        tag: 't',
        ignored_error: { error: { type: 'illegal_argument_exception', reason } },
      },
      { processor_type: 'drop', status: 'dropped' },
    ])
  })

  it('answers nothing for a document that is dropped', async () => {
    expect(await simulate([{ drop: {} }], { m: 'x' })).toEqual({ docs: [null] })
  })
})
