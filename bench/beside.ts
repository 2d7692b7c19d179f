/**
 * The longest wait of a get while one large request of another kind is answered.
 *
 *   npm run build && npx tsx bench/beside.ts [--only WORD] [--engine-version OpenSearch_2.19]
 *
 * One server process of its own for each case, plain HTTP, one client that gets a document again and again beside it. Prepared
 * bodies, sent by the same process: what it takes to send them is no part of a wait, since a get is timed from its own sending on,
 * but reading a large answer is.
 */
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { type DomainProcess, removeDataDir, startDomain } from '../scripts/domain-process.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'engine-version': { type: 'string', default: 'OpenSearch_2.19' } },
})

const agent = new Agent({ keepAlive: true })

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: Buffer | undefined
}

interface Case {
  readonly name: string
  readonly prepare?: (url: string) => Promise<unknown>
  readonly call: Call
}

/** @returns the answer's status and length */
function send(url: string, { method, path, body }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      response.on('end', () => resolve(`${response.statusCode}, ${length} bytes`))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const texts = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join()

const put = (path: string, body: string): Call => ({ method: 'PUT', path, body: Buffer.from(body) })

async function makeIndices(url: string): Promise<void> {
  for (let i = 0; i < 1_000; i++)
    await send(url, put(`/index-${i}`, '{"mappings":{"properties":{"n":{"type":"long"}}}}'))
}

const CASES: readonly Case[] = [
  { name: 'a document of 10 million numbers', call: put('/a/_doc/2', `{"n":[${'1,'.repeat(9_999_999)}1]}`) },
  { name: 'a document of a million fields', call: put('/a/_doc/2', `{${texts(1_000_000, (i) => `"f${i}":1`)}}`) },
  { name: '_stats of 1,000 indices', prepare: makeIndices, call: { method: 'GET', path: '/_stats' } },
  { name: '_cluster/state of 1,000 indices', prepare: makeIndices, call: { method: 'GET', path: '/_cluster/state' } },
  {
    name: '_mget of a million ids',
    call: { method: 'POST', path: '/a/_mget', body: Buffer.from(`{"ids":[${texts(1_000_000, (i) => `"${i}"`)}]}`) },
  },
  {
    name: '100,000 synonyms',
    call: put(
      '/b',
      `{"settings":{"analysis":{"filter":{"s":{"type":"synonym","synonyms":[${texts(100_000, (i) => `"word${i} => other${i}"`)}]}},"analyzer":{"a":{"tokenizer":"standard","filter":["lowercase","s"]}}}}}`,
    ),
  },
]

/** Gets again and again until something is done. */
async function longestGet(url: string, until: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  until.then(done, done)
  let longest = 0
  while (!isDone) {
    const started = performance.now()
    await send(url, { method: 'GET', path: '/a/_doc/1' })
    longest = Math.max(longest, performance.now() - started)
  }
  return longest
}

async function measure({ url }: DomainProcess, { name, prepare, call }: Case): Promise<void> {
  await send(url, put('/a/_doc/1', '{"t":"a word"}'))
  await prepare?.(url)
  for (let i = 0; i < 200; i++) await send(url, { method: 'GET', path: '/a/_doc/1' })
  const started = performance.now()
  const answer = send(url, call)
  const longest = await longestGet(url, answer)
  console.log(
    `${name}: longest get ${Math.round(longest)} ms, of ${Math.round(performance.now() - started)} ms (${await answer})`,
  )
}

for (const one of CASES.filter(({ name }) => name.includes(values.only))) {
  const domain = await startDomain({ args: ['--engine-version', values['engine-version']] })
  try {
    await measure(domain, one)
  } finally {
    await domain.stop()
    removeDataDir(domain.dataDir)
  }
}
agent.destroy()
