import { connect } from 'node:net'
import { type DomainProcess, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { DocumentSetDigest } from '../../src/digest/document-set-digest.ts'
import { IndexSource } from '../../src/transfer/document-reader.ts'
import { describeServer } from '../../src/transfer/server.ts'

/** A document as tests make them. */
export interface Made {
  readonly id: string
  readonly source: string
  readonly type?: string
  readonly routing?: string
}

/** Documents that are hard to carry: big integers, forms of numbers, key order, escapes, Korean, odd ids, sizes. */
export function makeDocuments(count: number): Made[] {
  return Array.from({ length: count }, (_, i) => ({
    id: i % 7 === 0 ? `문서/${i} ?#%` : `d${i}`,
    source: `{"b":${i}.0,"a":${9007199254740993n + BigInt(i)},"text":"너의 이름은 \\u00e9 ${'낱말 '.repeat(i % 50)}","n":{"y":[1,null,2],"x":1e3,"e":{},"l":[]}}`,
    ...(i % 11 === 0 ? { routing: `r${i % 3}` } : {}),
  }))
}

/** The mapping {@link makeDocuments} fits. */
export const MAPPING = { properties: { a: { type: 'long' }, b: { type: 'double' }, text: { type: 'text' } } }

/** Makes an index and fills it. @param type  undefined for servers without types */
export async function fill(url: string, index: string, documents: readonly Made[], type?: string): Promise<void> {
  const client = Client.connect({ host: url })
  await client.createIndex(index, {
    settings: { number_of_shards: 3, number_of_replicas: 0 },
    mappings: type === undefined ? MAPPING : { [type]: MAPPING },
  })
  const operations = documents.map((d) => ({
    index: {
      _index: index,
      ...(type === undefined ? {} : { _type: d.type ?? type }),
      _id: d.id,
      ...(d.routing === undefined ? {} : { routing: d.routing }),
    },
    source: d.source,
  }))
  const { failed, failures } = await client.bulk(operations, { refresh: true })
  client.close()
  if (failed > 0) throw new Error(JSON.stringify(failures[0]))
}

/** Digest of ids and canonical sources of an index, by a reading of its own. */
export async function digestOf(url: string, index: string): Promise<{ count: number; hex: string }> {
  const client = Client.connect({ host: url })
  await client.request('POST', `/${index}/_refresh`)
  const source = new IndexSource(client, index, await describeServer(client), { pageSize: 500 })
  const digest = new DocumentSetDigest()
  const seen = new Set<string>()
  for (const part of await source.parts()) {
    for await (const { documents } of source.read(part, undefined, new AbortController().signal)) {
      for (const { id, source: text } of documents) {
        if (seen.has(id)) throw new Error(`${id} was read twice`)
        seen.add(id)
        digest.add(id, text)
      }
    }
  }
  client.close()
  return { count: digest.count, hex: digest.hex }
}

/** A domain that can be killed and started again with the same data on the same port. */
export class RestartableDomain {
  #domain: DomainProcess

  private constructor(domain: DomainProcess) {
    this.#domain = domain
  }

  static async start(): Promise<RestartableDomain> {
    return new RestartableDomain(await startDomain())
  }

  get url(): string {
    return this.#domain.url
  }

  get dataDir(): string {
    return this.#domain.dataDir
  }

  async kill(): Promise<void> {
    await this.#domain.stop('SIGKILL')
  }

  async restart(): Promise<void> {
    const { dataDir, url } = this.#domain
    const args = ['--port', new URL(url).port]
    // The port of a killed process may be held by its last connections for a moment.
    for (let attempt = 0; ; attempt++) {
      try {
        this.#domain = await startDomain({ dataDir, args })
        return
      } catch (error) {
        if (attempt === 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  async stop(): Promise<void> {
    await this.#domain.stop()
  }
}

/** Where real servers to compare with are expected; undefined when none answers (the tests that need one are skipped). */
export async function peerUrl(name: 'elasticsearch' | 'opensearch'): Promise<string | undefined> {
  const url =
    name === 'elasticsearch'
      ? (process.env['ELASTICSEARCH_URL'] ?? 'http://127.0.0.1:9206')
      : (process.env['OPENSEARCH_URL'] ?? 'http://127.0.0.1:9202')
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(url)
    })
    socket.once('error', () => resolve(undefined))
  })
}
