import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { describeServer } from '../../src/transfer/server.ts'
import type { TransferReport } from '../../src/transfer/transfer.ts'
import type { Verification } from '../../src/transfer/verify.ts'
import { digestOf, fill, MAPPING, makeDocuments } from './open-domain.ts'
import { runTransfer } from './transfer-command.ts'

/*
 * One index through every wire dialect, and through servers of other versions: CHAJA_TRANSFER_SERVERS names them, as
 * http://127.0.0.1:9271,http://… (npx tsx scripts/other-peers.ts starts some). Indices made there are removed.
 */
const SERVERS = (process.env['CHAJA_TRANSFER_SERVERS'] ?? '').split(',').filter((url) => url !== '')
const DIALECTS = ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19']
const DOCUMENTS = makeDocuments(700)
const PREFIX = `chaja-versions-${process.pid}`

const domains = new Map<string, DomainProcess>()
const made: string[] = []
let folder: string
let expected: { count: number; hex: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-versions-'))
  for (const version of DIALECTS) {
    const domain = await startDomain({ args: ['--engine-version', version] })
    domains.set(version, domain)
    // OpenSearch has no types: its documents come into a typed server as `_doc`.
    await fill(domain.url, 'source', DOCUMENTS, version === 'Elasticsearch_6.8' ? 'thing' : undefined)
  }
  expected = await digestOf(urlOf('Elasticsearch_6.8'), 'source')
})

afterAll(async () => {
  for (const url of made) await fetch(url, { method: 'DELETE' })
  for (const domain of domains.values()) {
    await domain.stop()
    removeDataDir(domain.dataDir)
  }
  rmSync(folder, { recursive: true, force: true })
})

function urlOf(side: string): string {
  return domains.get(side)?.url ?? side
}

/** Moves an index and expects the same documents there, by the command's own comparison and by another reading. */
async function move(from: string, to: string): Promise<void> {
  made.push(to)
  const end = await runTransfer([from, to], { folder })
  expect(end, end.stderr).toMatchObject({
    code: 0,
    report: {
      written: DOCUMENTS.length,
      rejected: 0,
      verification: { equal: true },
    },
  })
  const { of, sourceDigest, destinationDigest } = (end.report as TransferReport).verification as Verification
  const isBetweenDomains = [from, to].every((url) => !SERVERS.some((server) => url.startsWith(server)))
  expect(of).toBe(isBetweenDomains ? 'records' : 'documents')
  // Of records there is another digest.
  expect(sourceDigest).toBe(isBetweenDomains ? destinationDigest : expected.hex)
  const { origin, pathname } = new URL(to)
  expect(await digestOf(origin, pathname.slice(1))).toEqual(expected)
}

describe('an index moves between wire dialects', () => {
  const pairs = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const))

  it.each(pairs)('from %s to %s', async (from, to) => {
    const index = `from-${from.toLowerCase()}`
    await move(`${urlOf(from)}/source`, `${urlOf(to)}/${index}`)
    const client = Client.connect({ host: urlOf(to) })
    const { body } = await client.request<Record<string, { mappings: Record<string, Record<string, unknown>> }>>(
      'GET',
      `/${index}/_mapping`,
    )
    const { mappings } = body[index] as { mappings: Record<string, Record<string, unknown>> }
    client.close()
    // The mapping holds, with what the documents' other fields were found to be.
    const mapping = to !== 'Elasticsearch_6.8' ? mappings : (Object.values(mappings)[0] as Record<string, unknown>)
    expect(mapping).toMatchObject(MAPPING)
  })
})

describe.runIf(SERVERS.length > 0)('an index moves through a server of another version', () => {
  it.each(SERVERS)('%s, from and to each dialect', async (server) => {
    const client = Client.connect({ host: server })
    const { distribution, version } = await describeServer(client)
    client.close()
    for (const dialect of DIALECTS) {
      const there = `${server}/${PREFIX}-${dialect.toLowerCase().replace('.', '-')}`
      await move(`${urlOf(dialect)}/source`, there)
      await move(there, `${urlOf(dialect)}/back-from-${distribution}-${version}`)
    }
    console.log(`${distribution} ${version}: to and from ${DIALECTS.join(', ')}`)
  })

  it('and from each to the next', async () => {
    let from = `${urlOf('Elasticsearch_6.8')}/source`
    for (const server of SERVERS) {
      const to = `${server}/${PREFIX}-chain`
      await move(from, to)
      from = to
    }
  })
})
