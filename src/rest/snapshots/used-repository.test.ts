import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { Repository } from '../../engine/snapshot/repository.ts'

describe('a repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-used-'))
  let rest: Rest

  const put = (name: string, location: string) =>
    rest.ask('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location: join(folder, location) } })

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8', { repositoryPaths: [folder] })
    await rest.ask('PUT', '/movies/_doc/1', { title: 'a' })
  })
  afterAll(async () => {
    await rest.close()
    rmSync(folder, { recursive: true })
  })

  it('is neither changed nor forgotten while a snapshot in it begins', async () => {
    await put('r', 'r')
    const { list } = Repository.prototype
    const asked: Promise<{ readonly status: number }>[] = []
    const listing = vi.spyOn(Repository.prototype, 'list').mockImplementation(async function (this: Repository) {
      if (asked.length === 0) {
        asked.push(rest.ask('DELETE', '/_snapshot/r'), put('r', 'elsewhere'))
        await Promise.all(asked)
      }
      return list.call(this)
    })
    const { json } = await rest.ask('PUT', '/_snapshot/r/s?wait_for_completion=true')
    listing.mockRestore()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([500, 500])
    expect(json).toMatchObject({ snapshot: { state: 'SUCCESS' } })
    expect((await rest.ask('GET', '/_snapshot/r/s')).status).toBe(200)
    expect((await put('r', 'r')).status).toBe(200)
    expect((await rest.ask('DELETE', '/_snapshot/r')).status).toBe(200)
  })

  it('takes no snapshot while it is changed: that comes into what it is then', async () => {
    await put('q', 'before')
    const changed = put('q', 'after')
    const made = rest.ask('PUT', '/_snapshot/q/s?wait_for_completion=true')
    expect((await changed).status).toBe(200)
    expect((await made).status).toBe(200)
    expect((await rest.ask('GET', '/_snapshot/q/s')).status).toBe(200)
  })
})

it('an index is told as restored until it is closed, and no longer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-recovery-'))
  const rest = await openRest('Elasticsearch_6.8', { repositoryPaths: [folder] })
  const type = async () => {
    const { json } = await rest.ask('GET', '/back/_recovery?filter_path=back.shards.type')
    return (json as { back: { shards: [{ type: string }] } }).back.shards[0].type
  }
  try {
    await rest.ask('PUT', '/movies/_doc/1', { title: 'a' })
    await rest.ask('PUT', '/_snapshot/r', { type: 'fs', settings: { location: folder } })
    await rest.ask('PUT', '/_snapshot/r/s?wait_for_completion=true')
    const as = { indices: 'movies', rename_pattern: 'movies', rename_replacement: 'back' }
    await rest.ask('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', as)
    expect(await type()).toBe('SNAPSHOT')
    await rest.ask('POST', '/back/_close')
    await rest.ask('POST', '/back/_open')
    expect(await type()).toBe('EXISTING_STORE')
  } finally {
    await rest.close()
    rmSync(folder, { recursive: true })
  }
})
