import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { digestOf, fill, makeDocuments } from './open-domain.ts'
import { runTransfer, startTransfer } from './transfer-command.ts'

// Each command is a process of its own: seconds on a busy machine.
const COUNT = 2_000
const OWN = { 'index.number_of_replicas': '2', 'index.refresh_interval': '7s' }
const FILLING = { 'index.number_of_replicas': '0', 'index.refresh_interval': '-1' }

let source: DomainProcess
let destination: DomainProcess
let folder: string
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-load-settings-'))
  source = await startDomain()
  destination = await startDomain()
  client = Client.connect({ host: destination.url })
  await fill(source.url, 'source', makeDocuments(COUNT), 'thing')
  const from = Client.connect({ host: source.url })
  await from.request('PUT', '/source/_settings', OWN)
  from.close()
})

afterAll(async () => {
  client?.close()
  for (const domain of [source, destination]) {
    await domain?.stop()
    if (domain !== undefined) removeDataDir(domain.dataDir)
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Those of an index' settings that a transfer changes while it fills it. */
async function settingsOf(index: string): Promise<Record<string, unknown>> {
  const { body } = await client.request<Record<string, { settings: Record<string, unknown> }>>(
    'GET',
    `/${index}/_settings?flat_settings=true`,
  )
  const { settings } = Object.values(body)[0] as { settings: Record<string, unknown> }
  return Object.fromEntries(Object.keys(OWN).map((name) => [name, settings[name]]))
}

/** A slow run into an index, once it has written something. */
async function begin(index: string) {
  const inside = join(folder, index)
  mkdirSync(inside)
  const args = [`${source.url}/source`, `${destination.url}/${index}`, '--batch', '100', '--rate', '1000']
  const run = startTransfer(args, { folder: inside })
  for (;;) {
    const name = readdirSync(inside).find((file) => file.endsWith('.checkpoint.json'))
    if (name !== undefined && JSON.parse(readFileSync(join(inside, name), 'utf8')).written > 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { ...run, again: () => runTransfer(args.slice(0, 2), { folder: inside }) }
}

describe('an index that a transfer makes', () => {
  it('neither refreshes nor copies itself while it is filled, and has its own settings afterwards', async () => {
    const { ended } = await begin('quiet')
    expect(await settingsOf('quiet')).toEqual(FILLING)
    expect(await ended).toMatchObject({ code: 0, report: { verification: { equal: true } } })
    expect(await settingsOf('quiet')).toEqual(OWN)
  })

  it('has its own settings after Ctrl-C, too', async () => {
    const { child, ended, again } = await begin('stopped')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
    expect(await settingsOf('stopped')).toEqual(OWN)
    expect(await again()).toMatchObject({ code: 0, report: { resumed: true, verification: { equal: true } } })
    expect(await settingsOf('stopped')).toEqual(OWN)
  })

  it('gets them back from the run that goes on after a kill', async () => {
    const { child, ended, again } = await begin('killed')
    child.kill('SIGKILL')
    await ended
    expect(await settingsOf('killed')).toEqual(FILLING)
    expect(await again()).toMatchObject({ code: 0, report: { resumed: true, verification: { equal: true } } })
    expect(await settingsOf('killed')).toEqual(OWN)
    expect(await digestOf(destination.url, 'killed')).toEqual(await digestOf(source.url, 'source'))
  })
})

describe('an index that was there', () => {
  it('keeps its settings throughout', async () => {
    const settings = { 'index.number_of_replicas': '1', 'index.refresh_interval': '3s' }
    await client.createIndex('there', { settings })
    const { ended } = await begin('there')
    expect(await settingsOf('there')).toEqual(settings)
    expect(await ended).toMatchObject({ code: 0 })
    expect(await settingsOf('there')).toEqual(settings)
  })

  it('as does one that is only made', async () => {
    await runTransfer([`${source.url}/source`, `${destination.url}/mapped`, '--mappings-only'], { folder })
    expect(await settingsOf('mapped')).toEqual(OWN)
  })
})
