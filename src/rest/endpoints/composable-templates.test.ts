import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { createRestBackend } from '../rest-backend.ts'

// Answers and messages are those of OpenSearch 2.19.3.

const contents = (type: string) => ({
  settings: { number_of_replicas: 0 },
  mappings: { properties: { a: { type } } },
  aliases: { al: {} },
})

const rendered = (type: string) => ({
  settings: { index: { number_of_replicas: '0' } },
  mappings: { properties: { a: { type } } },
  aliases: { al: {} },
})

describe('composable index templates', () => {
  let dataDir: string
  let backend: Backend

  async function open(engineVersion: EngineVersion): Promise<void> {
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion, log })
    const publishAddress = (): string => '127.0.0.1:9200'
    backend = createRestBackend(engine, { log, publishAddress, clusterName: 'templates', dataDir })
  }

  async function ask(method: string, path: string, body?: object): Promise<{ status: number; json: never }> {
    const answer = await askBackend(backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  async function reasonOf(method: string, path: string, body?: object): Promise<string> {
    const { json } = (await ask(method, path, body)) as { json: { error: { type: string; reason: string } } }
    return `${json.error.type}: ${json.error.reason}`
  }

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'chaja-templates-'))
    await open('OpenSearch_2.19')
    await ask('PUT', '/_component_template/part', { template: contents('keyword'), version: 3, _meta: { x: 1 } })
    await ask('PUT', '/_index_template/whole', {
      index_patterns: ['made*'],
      composed_of: ['part'],
      priority: 7,
      version: 2,
      template: { mappings: { properties: { a: { type: 'text' }, 'o.b': { type: 'long' } } } },
    })
  })

  afterEach(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('are shown as they were put, after a restart too', async () => {
    await backend.close()
    await open('OpenSearch_2.19')
    expect((await ask('GET', '/_component_template/part')).json).toEqual({
      component_templates: [
        { name: 'part', component_template: { template: rendered('keyword'), version: 3, _meta: { x: 1 } } },
      ],
    })
    expect((await ask('GET', '/_index_template/wh*')).json).toMatchObject({
      index_templates: [
        {
          name: 'whole',
          index_template: { index_patterns: ['made*'], composed_of: ['part'], priority: 7, version: 2 },
        },
      ],
    })
  })

  it('make an index of their components, their own contents and the request, each over the one before', async () => {
    await ask('PUT', '/made-1', { mappings: { properties: { 'o.c': { type: 'ip' } } }, aliases: { own: {} } })
    const { json } = await ask('GET', '/made-1')
    expect(json).toMatchObject({
      'made-1': {
        settings: { index: { number_of_replicas: '0' } },
        mappings: {
          properties: { a: { type: 'text' }, o: { properties: { b: { type: 'long' }, c: { type: 'ip' } } } },
        },
        aliases: { al: {}, own: {} },
      },
    })
  })

  it('put the older templates out of use, the highest priority alone counting', async () => {
    await ask('PUT', '/_template/old', { index_patterns: ['*'], settings: { number_of_shards: 9 } })
    await ask('PUT', '/_index_template/high', {
      index_patterns: ['made-x*'],
      priority: 8,
      template: { settings: { number_of_shards: 2 } },
    })
    await ask('PUT', '/made-x/_doc/1', { n: 1 })
    await ask('PUT', '/other')
    expect((await ask('GET', '/made-x,other/_settings')).json).toMatchObject({
      'made-x': { settings: { index: { number_of_shards: '2' } } },
      other: { settings: { index: { number_of_shards: '9' } } },
    })
    expect((await ask('GET', '/made-x/_alias')).json).toEqual({ 'made-x': { aliases: {} } })
  })

  it('are simulated with what they overlap', async () => {
    expect((await ask('POST', '/_index_template/_simulate_index/made-9')).json).toMatchObject({
      template: { settings: rendered('text').settings },
      overlapping: [],
    })
    const given = { index_patterns: ['m*'], composed_of: ['part'], priority: 9 }
    expect((await ask('POST', '/_index_template/_simulate', given)).json).toEqual({
      template: rendered('keyword'),
      overlapping: [{ name: 'whole', index_patterns: ['made*'] }],
    })
  })

  it.each([
    [
      'GET',
      '/_component_template/no',
      undefined,
      'resource_not_found_exception: component template matching [no] not found',
    ],
    ['GET', '/_index_template/no', undefined, 'resource_not_found_exception: index template matching [no] not found'],
    ['DELETE', '/_component_template/no', undefined, 'index_template_missing_exception: index_template [no] missing'],
    ['DELETE', '/_index_template/no', undefined, 'index_template_missing_exception: index_template [no] missing'],
    [
      'DELETE',
      '/_component_template/part',
      undefined,
      'illegal_argument_exception: component templates [part] cannot be removed as they are still in use by index templates [whole]',
    ],
    [
      'PUT',
      '/_component_template/part?create=true',
      { template: {} },
      'illegal_argument_exception: component template [part] already exists',
    ],
    ['PUT', '/_component_template/x', {}, 'illegal_argument_exception: Required [template]'],
    [
      'PUT',
      '/_component_template/x',
      { nope: 1 },
      'x_content_parse_exception: [1:2] [component_template] unknown field [nope]',
    ],
    ['PUT', '/_index_template/x', {}, 'illegal_argument_exception: Required [index_patterns]'],
    [
      'PUT',
      '/_index_template/x',
      { index_patterns: [] },
      'illegal_argument_exception: There must be at least one pattern, zero given',
    ],
    [
      'PUT',
      '/_index_template/x',
      { index_patterns: ['made*'], priority: 7 },
      'illegal_argument_exception: index template [x] has index patterns [made*] matching patterns from existing templates [whole] with patterns (whole => [made*]) that have the same priority [7], multiple index templates may not match during index creation, please use a different priority',
    ],
    [
      'PUT',
      '/_index_template/x',
      { index_patterns: ['y*'], composed_of: ['no'] },
      'invalid_index_template_exception: index_template [x] invalid, cause [index template [x] specifies component templates [no] that do not exist]',
    ],
    [
      'POST',
      '/_index_template/_simulate/no',
      undefined,
      'illegal_argument_exception: unable to simulate template [no] that does not exist',
    ],
  ])('refuse %s %s %j', async (method, path, body, reason) => {
    expect(await reasonOf(method, path, body)).toBe(reason)
  })
})
