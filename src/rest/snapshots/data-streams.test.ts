import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

// What OpenSearch 2.19.3 answered to the same calls, uuids left out.

describe('data streams in snapshots', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-stream-snapshots-'))
  let backend: Backend

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await askBackend(backend, method, path, body === undefined ? '' : JSON.stringify(body))
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }
  const restore = async (snapshot: string, body: object): Promise<readonly string[] | { readonly reason: string }> => {
    const path = `/_snapshot/r/${snapshot}/_restore?wait_for_completion=true`
    const { json } = (await ask('POST', path, body)) as {
      json: { snapshot?: { indices: string[] }; error?: { reason: string } }
    }
    return json.snapshot?.indices.sort() ?? { reason: json.error?.reason.replace(/\[r:s1\/[^\]]*\]/, '[r:s1]') ?? '' }
  }
  const streams = async (names: string): Promise<readonly string[]> => {
    const { json } = (await ask('GET', `/_data_stream/${names}`)) as {
      json: { data_streams: { name: string; generation: number; indices: { index_name: string }[] }[] }
    }
    return json.data_streams.map(
      ({ name, generation, indices }) => `${name} ${generation}: ${indices.map((i) => i.index_name).join(' ')}`,
    )
  }

  beforeAll(async () => {
    const log = (): void => {}
    const repositoryPaths = [join(dataDir, 'repository')]
    const engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log, repositoryPaths })
    backend = createRestBackend(engine, { log, publishAddress: () => '127.0.0.1:1', clusterName: 'test', dataDir })
    await ask('PUT', '/_snapshot/r', { type: 'fs', settings: { location: repositoryPaths[0] } })
    await ask('PUT', '/_index_template/t', { index_patterns: ['dst_*'], data_stream: {} })
    await ask('PUT', '/dst_a/_create/1?refresh=true', { '@timestamp': 1 })
    await ask('POST', '/dst_a/_rollover')
    await ask('PUT', '/dst_b/_create/1?refresh=true', { '@timestamp': 1 })
  })

  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each([
    ['s1', 'dst_a', ['.ds-dst_a-000001', '.ds-dst_a-000002'], ['dst_a']],
    ['s2', '.ds-dst_a-000001', ['.ds-dst_a-000001'], []],
    ['s3', 'dst_*', ['.ds-dst_a-000001', '.ds-dst_a-000002', '.ds-dst_b-000001'], ['dst_a', 'dst_b']],
    ['s4', '*', ['.ds-dst_a-000001', '.ds-dst_a-000002', '.ds-dst_b-000001'], ['dst_a', 'dst_b']],
    ['s6', undefined, ['.ds-dst_a-000001', '.ds-dst_a-000002', '.ds-dst_b-000001'], ['dst_a', 'dst_b']],
  ])('are taken into %s where they are named: %s', async (name, indices, taken, named) => {
    const made = await ask('PUT', `/_snapshot/r/${name}?wait_for_completion=true`, { indices })
    expect(made.json).toMatchObject({ snapshot: { indices: taken, data_streams: named, state: 'SUCCESS' } })
    const listed = await ask('GET', `/_snapshot/r/${name}?verbose=false`)
    expect(listed.json).toMatchObject({ snapshots: [{ indices: taken, data_streams: [] }] })
  })

  it('are restored where they are named, under another name with all behind them', async () => {
    const open = (name: string) => ({
      reason: `[r:s1] cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name`,
    })
    expect(await restore('s1', { indices: 'dst_a' })).toEqual(open('.ds-dst_a-000001'))
    const as = (name: string) => ({ rename_pattern: 'dst_(.*)', rename_replacement: `dst_${name}$1` })
    const both = (name: string) => [`.ds-dst_${name}a-000001`, `.ds-dst_${name}a-000002`]
    expect(await restore('s1', { indices: 'dst_a', ...as('r') })).toEqual(both('r'))
    expect(await streams('dst_ra')).toEqual(['dst_ra 2: .ds-dst_ra-000001 .ds-dst_ra-000002'])
    expect((await ask('POST', '/dst_ra/_rollover')).json).toMatchObject({ new_index: '.ds-dst_ra-000003' })
    expect(await restore('s1', as('w'))).toEqual(both('w'))
    expect(await restore('s1', { indices: 'dst_*', ...as('v') })).toEqual(both('v'))
    expect(await streams('dst_w*,dst_v*')).toHaveLength(2)
    expect(await restore('s1', { indices: 'dst_a', rename_pattern: 'dst_a', rename_replacement: 'dst_b' })).toEqual(
      open('.ds-dst_b-000001'),
    )
    expect(await restore('s3', { indices: 'dst_*', rename_pattern: 'dst_.', rename_replacement: 'dst_zz' })).toEqual({
      reason: expect.stringMatching(/are renamed into the same index \[\.ds-dst_zz-000001\]$/),
    })
  })

  it('are none in a clone', async () => {
    expect((await ask('PUT', '/_snapshot/r/s3/_clone/copy', { indices: '*' })).json).toMatchObject({
      acknowledged: true,
    })
    const { json } = await ask('GET', '/_snapshot/r/copy')
    expect(json).toMatchObject({ snapshots: [{ data_streams: [] }] })
  })

  it('are none where their indices are named alone', async () => {
    const as = (name: string) => ({ rename_pattern: 'dst_(.*)', rename_replacement: `dst_${name}$1` })
    expect(await restore('s1', { indices: '.ds-dst_a-000001', ...as('q') })).toEqual(['.ds-dst_qa-000001'])
    expect(await restore('s1', { indices: '.ds-*', ...as('u') })).toEqual(['.ds-dst_ua-000001', '.ds-dst_ua-000002'])
    expect(await restore('s2', as('t'))).toEqual(['.ds-dst_ta-000001'])
    expect(await streams('dst_q*,dst_u*,dst_t*')).toEqual([])
  })

  it('are restored without a template, and keep to names of their own', async () => {
    const as = { rename_pattern: 'dst_', rename_replacement: 'other_' }
    expect(await restore('s1', { indices: 'dst_a', ...as })).toEqual(['.ds-other_a-000001', '.ds-other_a-000002'])
    expect((await ask('POST', '/other_a/_rollover')).json).toMatchObject({
      error: { reason: 'no matching index template found for data stream [other_a]' },
    })
    expect((await ask('POST', '/other_a/_doc', { '@timestamp': 1 })).json).toMatchObject({
      _index: '.ds-other_a-000002',
    })
    await ask('PUT', '/plain', { aliases: { taken: {} } })
    expect(await restore('s1', { indices: 'dst_a', rename_pattern: 'dst_a', rename_replacement: 'taken' })).toEqual({
      reason: expect.stringMatching(
        /^index, alias, and data stream names need to be unique, but the following duplicates were found \[taken \(alias of \[plain\/[^\]]*\]\) conflicts with data stream\]$/,
      ),
    })
  })
})
