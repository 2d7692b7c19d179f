import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../../test/ask-backend.ts'
import type { Backend } from '../../../backend.ts'
import { openEngine } from '../../../engine/embedded-engine.ts'
import type { EngineVersion } from '../../../engine/engine-version.ts'
import { parseAddress } from '../../../engine/mapping/types/ip-address.ts'
import { createRestBackend } from '../../rest-backend.ts'

// With the databases that come with 6.8.23 this answered 14,000 addresses as it does (2026-11).

/** A value in MaxMind's format: texts, whole numbers, doubles, lists and maps. */
function encoded(value: unknown): Buffer {
  const head = (type: number, size: number): Buffer => {
    const sized = size < 29 ? [size] : [29, size - 29]
    const [first = 0, ...more] = sized
    return Buffer.from(type < 8 ? [(type << 5) | first, ...more] : [first, type - 7, ...more])
  }
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number' && Number.isInteger(value)) {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value)
    return Buffer.concat([head(3, 8), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encoded)])
  const entries = Object.entries(value as object)
  return Buffer.concat([
    head(7, entries.length),
    ...entries.flatMap(([name, member]) => [encoded(name), encoded(member)]),
  ])
}

/** A database: records by network, addresses of version 4 in its first 96 bits of zeros. */
function databaseOf(type: string, records: Readonly<Record<string, object>>): Buffer {
  const nodes: (number | undefined)[][] = [[]]
  const data: Buffer[] = []
  const leaves: { node: number; side: number; offset: number }[] = []
  for (const [network, record] of Object.entries(records)) {
    const [address = '', length = ''] = network.split('/')
    const bytes = parseAddress(address)
    if (!address.includes(':')) bytes.fill(0, 10, 12)
    const prefix = Number(length) + (address.includes(':') ? 0 : 96)
    let node = 0
    for (let bit = 0; bit < prefix; bit++) {
      const side = ((bytes[bit >> 3] as number) >> (7 - (bit & 7))) & 1
      const at = nodes[node] as (number | undefined)[]
      if (bit === prefix - 1) leaves.push({ node, side, offset: Buffer.concat(data).length })
      else {
        at[side] ??= nodes.push([]) - 1
        node = at[side] as number
      }
    }
    data.push(encoded(record))
  }
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((sides, node) => {
    for (const side of [0, 1]) tree.writeUIntBE(sides[side] ?? nodes.length, node * 6 + side * 3, 3)
  })
  for (const { node, side, offset } of leaves) tree.writeUIntBE(nodes.length + 16 + offset, node * 6 + side * 3, 3)
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: type,
    description: {},
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  }
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, encoded(metadata)])
}

const SEOUL = {
  continent: { names: { en: 'Asia' } },
  country: { iso_code: 'KR', names: { en: 'South Korea' } },
  subdivisions: [{ iso_code: '11', names: { en: 'Seoul' } }],
  city: { names: { en: 'Seoul' } },
  location: { latitude: 37.5985, longitude: 126.9783, time_zone: 'Asia/Seoul' },
}

const home = mkdtempSync(join(tmpdir(), 'chaja-geoip-'))
let backend: Backend

/** A domain with some databases. */
async function open(engineVersion: EngineVersion): Promise<void> {
  const dataDir = join(home, engineVersion)
  const folder = join(dataDir, 'ingest-geoip')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'GeoLite2-City.mmdb'),
    databaseOf('GeoLite2-City', { '1.208.0.0/12': SEOUL, '2001:db8::/32': {} }),
  )
  const network = { autonomous_system_number: 4766, autonomous_system_organization: 'Korea Telecom' }
  writeFileSync(join(folder, 'own.mmdb'), databaseOf('Own-ASN', { '1.208.0.0/12': network, '2001:220::/32': network }))
  writeFileSync(join(folder, 'odd.mmdb'), databaseOf('Own-Domain', { '1.0.0.0/8': {} }))
  writeFileSync(join(folder, 'broken.mmdb'), 'no database')
  const log = (): void => {}
  const engine = await openEngine({ dataDir, engineVersion, log })
  backend = createRestBackend(engine, { log, publishAddress: () => '127.0.0.1:9200', clusterName: 'geoip', dataDir })
}

async function made(config: object, ...sources: object[]): Promise<unknown> {
  const body = {
    pipeline: { processors: [{ geoip: { field: 'a', ...config } }] },
    docs: sources.map((_source) => ({ _source })),
  }
  const answer = await askBackend(backend, 'POST', '/_ingest/pipeline/_simulate', body)
  const json = JSON.parse(String(answer.body)) as {
    docs?: readonly { doc?: { _source: { geoip?: unknown } }; error?: { reason: string } }[]
    error?: { reason: string }
  }
  return json.docs?.map(({ doc, error }) => doc?._source.geoip ?? error?.reason) ?? json.error?.reason
}

beforeAll(() => open('OpenSearch_2.19'))

afterAll(async () => {
  await backend.close()
  rmSync(home, { recursive: true, force: true })
})

const place = {
  continent_name: 'Asia',
  country_iso_code: 'KR',
  country_name: 'South Korea',
  region_iso_code: 'KR-11',
  region_name: 'Seoul',
  city_name: 'Seoul',
  location: { lon: 126.9783, lat: 37.5985 },
}

describe('the processor geoip', () => {
  it('tells where an address is, and nothing of one that the database does not know', async () => {
    expect(
      await made({}, { a: '1.209.3.4' }, { a: '::ffff:1.209.3.4' }, { a: '9.9.9.9' }, { a: '2001:db8::1' }),
    ).toEqual([place, place, undefined, undefined])
    expect(await made({ properties: ['ip', 'TimeZone'] }, { a: '1.209.3.4' })).toEqual([
      { ip: '1.209.3.4', timezone: 'Asia/Seoul' },
    ])
  })

  it('takes the first of several that is known, or all', async () => {
    const source = { a: ['9.9.9.9', '1.209.3.4', '1.210.0.1'] }
    const ip = (text: string) => ({ ip: text })
    expect(await made({ properties: ['ip'] }, source)).toEqual([ip('1.209.3.4')])
    expect(await made({ properties: ['ip'], first_only: false }, source)).toEqual([
      [null, ip('1.209.3.4'), ip('1.210.0.1')],
    ])
    expect(await made({}, { a: [1] }, { a: 1 }, { a: null }, { a: 'nope' })).toEqual([
      'array in field [a] should only contain strings',
      'field [a] should contain only string or array of strings',
      'field [a] is null, cannot extract geoip information.',
      "'nope' is not an IP string literal.",
    ])
  })

  it('reads databases of networks, with the network', async () => {
    const network = { asn: 4766, organization_name: 'Korea Telecom' }
    expect(await made({ database_file: 'own.mmdb' }, { a: '1.209.3.4' }, { a: '2001:0220:0::5' })).toEqual([
      { ...network, ip: '1.209.3.4', network: '1.208.0.0/12' },
      { ...network, ip: '2001:220::5', network: '2001:220::/32' },
    ])
  })

  it('is refused where its database is not there, is none, or is not about addresses', async () => {
    expect(await made({ database_file: 'GeoLite2-ASN.mmdb' })).toBe(
      "[database_file] database file [GeoLite2-ASN.mmdb] doesn't exist: put it into the folder [ingest-geoip] of the data directory",
    )
    expect(await made({ database_file: '../store.mdb' })).toBe(
      "[database_file] database file [../store.mdb] doesn't exist",
    )
    expect(await made({ database_file: 'broken.mmdb' })).toMatch(
      /^\[database_file\] database file \[broken.mmdb\] cannot be read: /,
    )
    expect(await made({ database_file: 'odd.mmdb' })).toBe('[database_file] Unsupported database type [Own-Domain]')
    expect(await made({ database_file: 'own.mmdb', properties: ['city_name'] })).toBe(
      '[properties] illegal property value [city_name]. valid values are [IP, ASN, ORGANIZATION_NAME, NETWORK]',
    )
  })
})

describe('the processor geoip of 6.8', () => {
  it('takes one address and tells less unasked', async () => {
    await backend.close()
    await open('Elasticsearch_6.8')
    const { country_name: _, ...less } = place
    expect(await made({}, { a: '1.209.3.4' })).toEqual([less])
    expect(await made({ first_only: true })).toContain(
      "doesn't support one or more provided configuration parameters [first_only]",
    )
    expect(await made({}, { a: ['1.209.3.4'] })).toEqual([
      'java.lang.IllegalArgumentException: java.lang.IllegalArgumentException: field [a] of type [java.util.ArrayList] cannot be cast to [java.lang.String]',
    ])
  })
})
