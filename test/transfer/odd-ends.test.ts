import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { digestOf, fill, makeDocuments, RestartableDomain } from './open-domain.ts'
import { runTransfer, startTransfer } from './transfer-command.ts'

let domain: DomainProcess
let client: Client
let folder: string

beforeAll(async () => {
  domain = await startDomain()
  client = Client.connect({ host: domain.url })
})
afterAll(async () => {
  client.close()
  await domain.stop()
  removeDataDir(domain.dataDir)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-odd-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await client.request('DELETE', '/_all')
})

const at = (index: string) => `${domain.url}/${index}`
const run = (...args: string[]) => runTransfer(args, { folder })
const file = (name: string) => join(folder, name)
const checkpoints = () => readdirSync(folder).filter((name) => name.endsWith('.checkpoint.json'))
const equal = { verification: { equal: true } }
const ask = (method: string, path: string, body?: object) => client.request(method, path, body)

describe('what is moved', () => {
  it('is found by whoever searches next, however seldom the index refreshes', async () => {
    await ask('PUT', '/seldom', { settings: { refresh_interval: '1h' } })
    await ask('PUT', '/seldom/thing/1?refresh=true', { n: 1 })
    expect(await run(at('seldom'), at('found'), '--no-verify')).toMatchObject({ code: 0 })
    expect((await ask('GET', '/found/_count?filter_path=count')).body).toEqual({ count: 1 })
    expect(await run(at('seldom'), at('found-2'))).toMatchObject({ code: 0, report: equal })
    expect((await ask('GET', '/found-2/_count?filter_path=count')).body).toEqual({ count: 1 })
    await ask('PUT', '/none')
    expect(await run(at('none'), at('never-made'), '--documents-only', '--no-verify')).toMatchObject({ code: 0 })
  })

  it('is an index behind a data stream, and neither from nor to the stream itself', async () => {
    const other = await startDomain({ args: ['--engine-version', 'OpenSearch_2.19'] })
    const target = Client.connect({ host: other.url })
    try {
      await target.request('PUT', '/_index_template/t', { index_patterns: ['logs*'], data_stream: {} })
      for (const n of [1, 2, 3]) await target.request('PUT', `/logs/_create/${n}`, { '@timestamp': n })
      await target.request('POST', '/logs/_refresh')
      const from = await run(`${other.url}/logs`, file('a.ndjson'))
      expect(from.code).not.toBe(0)
      expect(from.stderr).toContain('[logs] is a data stream: transfer the indices behind it (.ds-logs-000001)')
      const to = await run(`${other.url}/.ds-logs-000001`, `${other.url}/logs`)
      expect(to.code).not.toBe(0)
      const { code, report } = await run(`${other.url}/.ds-logs-000001`, `${other.url}/plain`)
      expect({ code, report }).toMatchObject({ code: 0, report: { written: 3, ...equal } })
      expect((await target.request('GET', '/plain?filter_path=*.mappings,*.settings.index.hidden')).body).toEqual({
        plain: { mappings: { properties: { '@timestamp': { type: 'date' } } } },
      })
      const back = await run(`${other.url}/plain`, `${other.url}/logs`)
      expect(back.code).not.toBe(0)
      expect(back.stderr).toContain('[logs] is a data stream, or behind one')
    } finally {
      target.close()
      await other.stop()
      removeDataDir(other.dataDir)
    }
  })

  it('takes an alias for the source, and its name for the destination', async () => {
    await fill(domain.url, 'films_v1', makeDocuments(20), 'film')
    await ask('POST', '/_aliases', {
      actions: ['films', 'movies'].map((alias) => ({ add: { index: 'films_v1', alias } })),
    })
    const other = await startDomain()
    const target = Client.connect({ host: other.url })
    try {
      const { code, report } = await run(at('films'), `${other.url}/films`)
      expect({ code, report }).toMatchObject({ code: 0, report: { written: 20, ...equal } })
      expect(report?.changes).toContain('alias [films] is left out: the index has its name')
      expect((await target.request('GET', '/films/_alias')).body).toEqual({ films: { aliases: { movies: {} } } })
    } finally {
      target.close()
      await other.stop()
      removeDataDir(other.dataDir)
    }
  })

  it('is said to be a part of an index where an alias shows no more', async () => {
    await fill(domain.url, 'films', makeDocuments(20), 'film')
    const filter = { ids: { values: [makeDocuments(1)[0]?.id] } }
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'films', alias: 'one', filter } }] })
    const { code, report } = await run(at('one'), at('copy'))
    expect({ code, report }).toMatchObject({ code: 0, report: { written: 1, ...equal } })
    expect(report?.changes).toContain('alias [one] shows a part of its index (filter): no more is moved')
  })

  it('is never what is there already, by whatever name, nor the file that is read', async () => {
    await fill(domain.url, 'films', makeDocuments(3), 'film')
    await ask('POST', '/_aliases', { actions: [{ add: { index: 'films', alias: 'again' } }] })
    const other = domain.url.replace('127.0.0.1', 'localhost')
    for (const [from, to] of [
      [at('films'), at('films')],
      [at('again'), at('films')],
      [at('films'), `${other}/again`],
    ] as const) {
      const ended = await run(from, to)
      expect(ended.code).toBe(2)
      expect(ended.stderr).toContain('source and destination are the same index')
    }
    expect(await run(at('films'), 'films.ndjson')).toMatchObject({ code: 0 })
    const before = readFileSync(file('films.ndjson'))
    const ended = await run('films.ndjson', './films.ndjson', '--overwrite')
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('the same file')
    expect(readFileSync(file('films.ndjson')).equals(before)).toBe(true)
    expect(checkpoints()).toEqual([])
  })

  it('is a file that has its name when it is whole: what had it stays until then', async () => {
    await fill(domain.url, 'films', makeDocuments(3), 'film')
    expect(await run(at('films'), 'kept.ndjson')).toMatchObject({ code: 0 })
    const before = readFileSync(file('kept.ndjson'), 'utf8')
    writeFileSync(file('broken.ndjson'), `${before.replaceAll('"_id":"', '"_id":"other-')}{`)
    const ended = await run('broken.ndjson', 'kept.ndjson', '--overwrite', '--batch', '1')
    expect(ended.code, ended.stderr).toBe(1)
    expect(readFileSync(file('kept.ndjson'), 'utf8')).toBe(before)
    for (const name of checkpoints()) rmSync(file(name))
    expect(await run(at('films'), 'kept.ndjson', '--overwrite')).toMatchObject({ code: 0, report: equal })
    expect(existsSync(file('kept.ndjson.part'))).toBe(false)
    mkdirSync(file('folder.ndjson'))
    expect((await run(at('films'), 'folder.ndjson', '--overwrite')).stderr).toContain('folder.ndjson is no file')
  })

  it('is one index: patterns, lists and paths of the server are refused before anything is made', async () => {
    await fill(domain.url, 'a1', makeDocuments(2), 't')
    await fill(domain.url, 'a2', makeDocuments(2), 't')
    for (const [from, to, why] of [
      [at('a*'), at('x'), 'names 2 indices (a1, a2): transfer them one by one'],
      [at('a1,a2'), at('x'), 'transfer them one by one'],
      [at('_all'), at('x'), '[_all] is no index'],
      [at('a1'), at('_all'), '[_all] is no index'],
      [at('a1/_search'), at('x'), '[_search] is no index'],
      [`${at('a1')}?q=x`, at('x'), 'nothing may stand behind the index'],
      ['localhost:9200/a1', at('x'), 'a host begins with its scheme'],
      [at('a1'), 'http://[/x', 'it is no URL'],
    ] as const) {
      const ended = await run(from, to)
      expect(ended.code, ended.stderr).toBe(2)
      expect(ended.stderr).toContain(why)
    }
    for (const [to, why] of [
      [at('A*'), /\[A\*\] names no single index to write to/],
      ['nowhere/x.ndjson', /cannot write nowhere\/x.ndjson.part: there is no such file or folder/],
    ] as const) {
      const ended = await run(at('a1'), to)
      expect(ended.code).not.toBe(0)
      expect(ended.stderr).toMatch(why)
    }
    expect(checkpoints()).toEqual([])
    expect((await ask('GET', '/_cat/indices?h=index&format=json')).body).toHaveLength(2)
  })

  it('may be nothing: an empty index, one without mappings, one without documents left', async () => {
    await client.createIndex('empty')
    await fill(domain.url, 'emptied', makeDocuments(5), 't')
    await ask('POST', '/emptied/_delete_by_query?refresh=true', { query: { match_all: {} } })
    for (const index of ['empty', 'emptied']) {
      const { code, report, stderr } = await run(at(index), at(`${index}-2`))
      expect(code, stderr).toBe(0)
      expect(report).toMatchObject({ read: 0, written: 0, ...equal })
      expect(await client.exists(`/${index}-2`)).toBe(true)
    }
  })

  it('says why a closed index cannot be read, or written to', async () => {
    await fill(domain.url, 'open', makeDocuments(3), 't')
    await client.createIndex('shut')
    await ask('POST', '/shut/_close')
    for (const [from, to] of [
      ['shut', 'x'],
      ['open', 'shut'],
    ] as const) {
      const ended = await run(at(from), at(to))
      expect(ended.code).toBe(1)
      expect(ended.stderr).toMatch(/closed/)
    }
  })

  it('does not go through the pipelines of its destination', async () => {
    await ask('PUT', '/_ingest/pipeline/stamp', { processors: [{ set: { field: 'stamped', value: true } }] })
    await client.createIndex('piped', { settings: { 'index.default_pipeline': 'stamp' } })
    await client.bulk([{ _index: 'piped', _type: '_doc', _id: 'through', _source: { a: 1 } }])
    await ask('PUT', '/piped/_doc/past?pipeline=_none&refresh=true', { a: 2 })
    const { code, report, stderr } = await run(at('piped'), at('copy'))
    expect({ code, report }, stderr).toMatchObject({ code: 0, report: { written: 2, ...equal } })
    expect(report?.changes.join()).toContain('pipeline [stamp] is not moved: [index.default_pipeline]')
    expect((await client.get('copy', '_doc', 'through'))._source).toEqual({ a: 1, stamped: true })
    expect((await client.get('copy', '_doc', 'past'))._source).toEqual({ a: 2 })

    const modern = await startDomain({ args: ['--engine-version', 'OpenSearch_2.19'] })
    const other = Client.connect({ host: modern.url })
    try {
      await other.request('PUT', '/_ingest/pipeline/stamp', {
        processors: [{ set: { field: 'stamped', value: true } }],
      })
      const last = { 'index.final_pipeline': 'stamp' }
      await other.createIndex('piped', { settings: last })
      await other.createIndex('mine', { settings: last })
      expect(await run(at('piped'), `${modern.url}/mine`)).toMatchObject({ code: 4 })
      const made = await run(`${modern.url}/mine`, `${modern.url}/made`)
      expect(made, made.stderr).toMatchObject({ code: 0, report: { written: 2, ...equal } })
      expect((await other.request('GET', '/made/_settings?flat_settings=true')).body).toMatchObject({
        made: { settings: last },
      })
      const again = await run(at('piped'), `${modern.url}/mine`)
      expect(again.report?.changes).toContain('[mine] puts documents through its index.final_pipeline [stamp]')
    } finally {
      other.close()
      await modern.stop()
      removeDataDir(modern.dataDir)
    }
  })

  it('is said to be nothing where no sources are kept, and less where fields are left out of them', async () => {
    const mappings = (source: object) => ({ mappings: { t: { _source: source } } })
    await client.createIndex('none', mappings({ enabled: false }))
    expect(await run(at('none'), at('copy'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/none keeps no _source: nothing can be moved') as string,
    })
    expect(await client.exists('/copy')).toBe(false)
    await client.createIndex('less', mappings({ excludes: ['secret'] }))
    const { report } = await run(at('less'), at('copy'))
    expect(report?.changes).toContain('[_source] leaves fields out: they are not stored, and so not moved')
  })

  it('may have a name by date', async () => {
    await fill(domain.url, 'logs', makeDocuments(7), 't')
    const { code, report, stderr } = await run(at('logs'), at('%3Clogs-%7Bnow%2Fd%7D%3E'))
    expect(code, stderr).toBe(0)
    expect(report).toMatchObject({ written: 7, ...equal })
    const back = await run(at('%3Clogs-%7Bnow%2Fd%7D%3E'), 'logs.ndjson')
    expect(back, back.stderr).toMatchObject({ code: 0, report: { written: 7, ...equal } })
  })

  it('keeps routing, joins, nested objects and dots in names', async () => {
    await client.createIndex('hard', {
      mappings: {
        t: {
          properties: {
            j: { type: 'join', relations: { question: 'answer' } },
            n: { type: 'nested', properties: { x: { type: 'integer' } } },
            'a.b': { type: 'keyword' },
          },
        },
      },
    })
    const operations = Array.from({ length: 200 }, (_, i) => ({
      index: { _index: 'hard', _type: 't', _id: `${i}`, routing: `${i % 20}` },
      source: {
        j: i < 20 ? 'question' : { name: 'answer', parent: `${i % 20}` },
        n: [{ x: i }, { x: -i }],
        'a.b': `v${i}`,
        a: { c: { d: [i, null] } },
      },
    }))
    expect((await client.bulk(operations, { refresh: true })).failed).toBe(0)
    const { code, report, stderr } = await run(at('hard'), at('hard-2'))
    expect(code, stderr).toBe(0)
    expect(report).toMatchObject({ written: 200, ...equal })
    const asked = { query: { has_parent: { parent_type: 'question', query: { ids: { values: ['7'] } } } } }
    await ask('POST', '/hard-2/_refresh')
    expect((await client.search(asked, { index: 'hard-2' })).hits.total).toBe(9)
  })
})

describe('what happens meanwhile', () => {
  it('moves a source that is written to: what came in time at once, the rest by a second run', async () => {
    await fill(domain.url, 'live', makeDocuments(800), 't')
    let stop = false
    const writer = (async () => {
      for (let i = 0; !stop; i++)
        await client.put('live', 't', i % 3 === 0 ? `d${i}` : `new${i}`, { text: `${i}`, a: i, b: i })
    })()
    const { ended } = startTransfer([at('live'), at('copy'), '--batch', '100'], { folder })
    const first = await ended
    stop = true
    await writer
    // What was changed behind the walk may differ at its end.
    expect([0, 4], first.stderr).toContain(first.code)
    const second = await run(at('live'), at('copy'))
    expect(second, second.stderr).toMatchObject({ code: 0, report: equal })
    expect(await digestOf(domain.url, 'copy')).toEqual(await digestOf(domain.url, 'live'))
  })

  it('stops where the destination is blocked, and goes on when it is not: no document is given up', async () => {
    await fill(domain.url, 'films', makeDocuments(2_000), 'film')
    await client.createIndex('full')
    await ask('PUT', '/full/_settings', { 'index.blocks.read_only_allow_delete': true })
    const blocked = await run(at('films'), at('full'))
    expect(blocked.code).toBe(1)
    expect(blocked.stderr).toMatch(/\[full\] takes no documents: cluster_block_exception/)
    expect(checkpoints()).toHaveLength(1)
    await ask('PUT', '/full/_settings', { 'index.blocks.read_only_allow_delete': null })
    expect(await run(at('films'), at('full'))).toMatchObject({
      code: 0,
      report: { resumed: true, written: 2_000, ...equal },
    })
  })

  it('stops where a full queue does not clear, and gives no document up', async () => {
    await fill(domain.url, 'films', makeDocuments(300), 'film')
    let full = true
    const proxy = await startFaultProxy(domain.url, ({ path }) => (full && /\/_bulk\b/.test(path) ? 429 : 'pass'))
    const running = startTransfer([at('films'), `${proxy.url}/copy`], { folder })
    await expect.poll(() => proxy.done[429]).toBeGreaterThan(0)
    running.child.kill('SIGINT')
    const stopped = await running.ended
    expect(stopped.code).toBe(130)
    full = false
    expect(await run(at('films'), `${proxy.url}/copy`)).toMatchObject({
      code: 0,
      report: { written: 300, rejected: 0, ...equal },
    })
    await proxy.close()
  })

  it('names each document that the mapping refuses, and why, and compares the others', async () => {
    await client.createIndex('strict', { mappings: { t: { properties: { a: { type: 'byte' } } } } })
    await fill(domain.url, 'mixed', makeDocuments(50), 't')
    await client.put('mixed', 't', 'fits', { a: 1 }, { refresh: true })
    const { code, report } = await run(at('mixed'), at('strict'))
    expect({ code, report }).toMatchObject({ code: 3, report: { written: 1, rejected: 50, ...equal } })
    const [line] = readFileSync(file(report?.rejectFile as string), 'utf8').split('\n')
    expect(JSON.parse(line as string)).toMatchObject({
      error: { status: 400, type: 'mapper_parsing_exception', reason: /out of range for a byte/ },
      _source: { n: { x: 1000 } },
    })
  })
})

describe('a server that is not there', () => {
  it('is waited for, and named at once', async () => {
    const late = await RestartableDomain.start()
    try {
      await fill(late.url, 'films', makeDocuments(5), 'film')
      await late.kill()
      const running = startTransfer([`${late.url}/films`, at('copy')], { folder })
      const noted = new Promise<string>((resolve) => {
        running.child.stderr?.on('data', (chunk: Buffer) => String(chunk).includes('waiting') && resolve(String(chunk)))
      })
      expect(await noted).toMatch(
        /^waiting 30 s at most for the source, http:\S+\/films, which does not answer: ECONNREFUSED/,
      )
      await late.restart()
      expect(await running.ended).toMatchObject({ code: 0, report: { written: 5, ...equal } })
    } finally {
      await late.stop()
      removeDataDir(late.dataDir)
    }
  })

  it('is not waited for when it has no such name', async () => {
    const { code, stderr } = await run('http://nowhere.invalid/films', at('copy'))
    expect(code).toBe(1)
    // A machine without a network cannot tell.
    expect(stderr).toMatch(/^(the source, \S+ cannot be asked:\nchaja: ENOTFOUND|waiting .*EAI_AGAIN)/)
  })
})

describe('files and checkpoints', () => {
  it('reads NDJSON as editors and other tools leave it', async () => {
    const line = (i: number) => `{"_index":"x","_type":"t","_id":"${i}","_source":{"n":${i}.0}}`
    writeFileSync(file('odd.ndjson'), `\ufeff${line(1)}\r\n\r\n  \n${line(2)}\r\n${line(3)}`)
    const long = `{"_id":"4","_type":"t","_source":{"text":"${'낱말 '.repeat(400_000)}"}}`
    appendFileSync(file('odd.ndjson'), `\n${long}\n`)
    const { code, report, stderr } = await run('odd.ndjson', at('odd'))
    expect(code, stderr).toBe(0)
    expect(report).toMatchObject({ written: 4, ...equal })
  })

  it('names documents that a file has twice, the last of which is stored', async () => {
    writeFileSync(
      file('twice.ndjson'),
      '{"_id":"a","_source":{}}\n{"_id":"d","_source":{"n":1}}\n{"_id":"d","_source":{"n":2}}\n',
    )
    expect(await run('twice.ndjson', at('twice'))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('twice: _doc/d\n') as string,
    })
    expect((await client.get('twice', '_doc', 'd'))._source).toEqual({ n: 2 })
  })

  it('says where a file ends too early or is no file of documents, and keeps what came before', async () => {
    await fill(domain.url, 'films', makeDocuments(1_000), 'film')
    expect(await run(at('films'), 'films.ndjson.gz', '--batch', '100')).toMatchObject({ code: 0 })
    const whole = readFileSync(file('films.ndjson.gz'))
    writeFileSync(file('cut.ndjson.gz'), whole.subarray(0, whole.length - 100))
    const cut = await run('cut.ndjson.gz', at('cut'))
    expect(cut.code).toBe(1)
    expect(cut.stderr).toContain('cannot read cut.ndjson.gz: it ends in the middle of its compressed data')
    // Whole again, it goes on.
    writeFileSync(file('cut.ndjson.gz'), gzipSync(gunzipSync(whole)))
    expect(await run('cut.ndjson.gz', at('cut'))).toMatchObject({
      code: 0,
      report: { resumed: true, written: 1_000, ...equal },
    })

    writeFileSync(file('text.ndjson'), '{"_id":"1","_source":{}}\nhello\n')
    const text = await run('text.ndjson', at('text'))
    expect(text.code).toBe(1)
    expect(text.stderr).toContain('line 2 of text.ndjson is no document')
    for (const [name, text] of [
      ['table.ndjson', 'id,title\n1,a\n'],
      ['list.ndjson', '[{"_id":"1","_source":{}}]\n'],
    ] as const) {
      writeFileSync(file(name), text)
      const { code, stderr } = await run(name, at('none'))
      expect(code).toBe(1)
      // Nothing is begun that one could go on with.
      expect(stderr).toMatch(new RegExp(`^chaja: line 1 of ${name} is no document`))
    }
    expect(await client.exists('/none')).toBe(false)
    writeFileSync(file('plain.ndjson.gz'), 'not compressed\n')
    expect((await run('plain.ndjson.gz', at('plain'))).stderr).toContain('it is not compressed by gzip')
  })

  it('takes no checkpoint that is damaged or of another transfer', async () => {
    await fill(domain.url, 'films', makeDocuments(5), 'film')
    const ends = ['--checkpoint', 'my.json', '--rejects', 'r.ndjson'] as const
    const { body } = await client.request<Record<string, { settings: object }>>(
      'GET',
      '/films/_settings/index.uuid?flat_settings=true',
    )
    const sourceUuid = Object.values(Object.values(body)[0]?.settings ?? {})[0] as string
    const none = { read: 0, written: 0, rejected: 0, fileBytes: 0, headerBytes: 0, rejectBytes: 0 }
    const its = {
      source: at('films'),
      destination: at('x'),
      sourceUuid,
      schemaDone: true,
      positions: {},
      partsDone: [],
    }
    const checkpoint = (edited: object) => JSON.stringify({ ...its, ...none, ...edited })
    for (const [content, why] of [
      ['{"source":"x","destin', 'my.json is not a checkpoint: remove it'],
      ['', 'my.json is not a checkpoint'],
      ['[]', 'my.json is not a checkpoint'],
      ['{"source":"a","destination":"b","positions":{}}', 'my.json is not a checkpoint'],
      [checkpoint({ source: 'a', destination: 'b' }), 'my.json is the checkpoint of a → b'],
      [checkpoint({ sourceUuid: 'of one removed since' }), 'is the checkpoint of another index of the name'],
      [checkpoint({ written: 1 }), '[x] is gone from the destination since: remove my.json'],
      [checkpoint({ rejectBytes: 1 }), 'r.ndjson is not as the last run has left it (0 of 1 bytes)'],
    ] as const) {
      writeFileSync(file('my.json'), content)
      const ended = await run(at('films'), at('x'), ...ends)
      expect(ended.code).toBe(2)
      expect(ended.stderr).toContain(why)
      const kept = readFileSync(file('my.json'), 'utf8').trim()
      // What is read is written again, with its format and checksum.
      expect(kept.replace(/^\{"format":1,"checksum":"\w+",/, '{')).toBe(content)
    }
  })
})
