import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

describe('a restore that is not waited for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-restore-'))
  let rest: Rest

  const repository = (settings: object) =>
    rest.ask('PUT', '/_snapshot/r', { type: 'fs', settings: { location: join(folder, 'r'), ...settings } })
  const restore = (to: string) =>
    rest.ask('POST', '/_snapshot/r/s/_restore', { indices: 'movies', rename_pattern: '.+', rename_replacement: to })

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_7.10', { repositoryPaths: [folder] })
    await repository({})
    await rest.ask('PUT', '/movies/_doc/1', { title: 'x'.repeat(10_000) })
    await rest.ask('PUT', '/_snapshot/r/s?wait_for_completion=true')
  })
  afterAll(async () => {
    await rest.close()
    rmSync(folder, { recursive: true })
  })

  it('is answered when its indices are there', async () => {
    expect((await restore('back')).json).toEqual({ accepted: true })
    expect((await rest.ask('GET', '/back/_recovery?filter_path=*.shards.type')).json).toEqual({
      back: { shards: [{ type: 'SNAPSHOT' }] },
    })
  })

  it('is told of by no recovery before that', async () => {
    await repository({ max_restore_bytes_per_sec: '2kb' })
    const restored = restore('slow')
    await expect.poll(async () => (await rest.ask('GET', '/slow/_recovery')).status).toBe(200)
    expect((await rest.ask('GET', '/slow/_recovery')).json).toEqual({})
    expect((await rest.ask('GET', '/slow')).status).toBe(404)
    await restored
  }, 20_000)
})
