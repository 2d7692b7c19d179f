import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineVersion } from '../../src/engine/engine-version.ts'
import { CALLERS, type CallerName, type LeakAnswer, type LeakDomain, startLeakDomain } from './leak-domain.ts'
import { Chance, type LeakRequest, leakRequest, routedPaths, SECRETS } from './leak-requests.ts'

/*
 * Every path of the route table, by callers with different rights, with made-up names, bodies and parameters: no answer holds a word
 * of an index that is denied, it is the same whether that index is there or not, and whatever is in it, and nothing in it changes.
 *
 *   CHAJA_LEAK_ROUNDS=40 CHAJA_SEED=8 npx vitest run test/security/leaks.test.ts
 *
 * With CHAJA_LEAK_CLUSTER a domain in front of that cluster is asked, which must be the test's own: everything in it may be removed.
 */

const ROUNDS = Number(process.env['CHAJA_LEAK_ROUNDS'] ?? 3)
/** Denied as well, and not in any domain. */
const UNKNOWN = 'wimbat'
const CLUSTER = process.env['CHAJA_LEAK_CLUSTER']
const VERSIONS = (process.env['CHAJA_LEAK_VERSIONS'] ?? 'Elasticsearch_6.8,OpenSearch_2.19').split(
  ',',
) as EngineVersion[]
const ASKING = Object.keys(CALLERS).filter((caller) => caller !== 'admin') as CallerName[]

/** Words of the denied index in an answer that the request did not say. */
function toldSecrets({ says }: LeakRequest, { text, headers }: LeakAnswer): string[] {
  const said = says.toLowerCase()
  const told = `${text}${headers}`.toLowerCase()
  return Object.values(SECRETS).filter((word) => told.includes(word) && !said.includes(word))
}

/**
 * Whether what is there must not show. In front of a cluster a body's names are judged when something is called so: what in a body
 * is the name of an index, only the cluster knows.
 */
function isCompared({ isPlain, target, body }: LeakRequest, { status }: LeakAnswer): boolean {
  if (!isPlain || CLUSTER === undefined) return isPlain
  // What was done is not done again.
  return status >= 300 && target.includes(SECRETS.name) && body?.includes(SECRETS.name) !== true
}

/** What tells of the whole domain, and is judged by its path. */
const SUMS = /^\/+_(?:cluster\/(?:health\/?(?:\?|$)|stats|nodes)|nodes|tasks|cat\/(?:allocation|health|nodes|tasks))/

/** The same of an index that is denied too, and not there. */
function unknownTwin({ target, body }: LeakRequest): { readonly target: string; readonly body: Buffer | undefined } {
  const renamed = (text: string): string => text.replaceAll(SECRETS.name, UNKNOWN)
  return { target: renamed(target), body: body === undefined ? undefined : Buffer.from(renamed(body.toString())) }
}

/** What is another one with every call. */
function steady(text: string): string {
  return (
    text
      .replaceAll(UNKNOWN, SECRETS.name)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
      // In YAML, what may be read as a number is in quotes.
      .replaceAll(/"?(?:NODE|[\w-]{20,}={0,2})"?/g, 'ID')
      .replaceAll(/chaja-leaks-\w{6}/g, 'FOLDER')
      .replaceAll(/127\.0\.0\.1 [\w-]{7}|"?name"?: ?"[\w-]{7}"/g, 'NODE')
      .replaceAll(/"took":\d+/g, '"took":0')
      .replaceAll(/\d[\d.]*/g, '0')
  )
}

describe.each(VERSIONS)('an index that is denied, in a domain of %s', (version) => {
  let there: LeakDomain
  let absent: LeakDomain
  /** With a denied index of the same names that holds something else. */
  let otherwise: LeakDomain | undefined
  beforeAll(async () => {
    there = await startLeakDomain(version, 'as told', CLUSTER)
    absent = CLUSTER === undefined ? await startLeakDomain(version, 'absent') : there
    otherwise = CLUSTER === undefined ? await startLeakDomain(version, 'otherwise') : undefined
  })
  afterAll(async () => {
    for (const domain of new Set([there, absent, otherwise])) await domain?.stop()
  })

  it('shows nowhere, and is never changed', { timeout: 3_600_000 }, async () => {
    const chance = new Chance(Number(process.env['CHAJA_SEED'] ?? 7))
    const before = await there.secrets()
    const failures: string[] = []
    let answered = 0
    for (const row of routedPaths()) {
      const asked: string[] = []
      let wrote = false
      // Bodies are where most can be said.
      const rounds = row.method === 'POST' || row.method === 'PUT' ? 3 * ROUNDS : ROUNDS
      for (let n = 0; n < rounds; n++) {
        const request = leakRequest(chance, row, n, version === 'Elasticsearch_6.8')
        const caller = chance.pick(ASKING)
        const { method, target, headers, body } = request
        const told = await there.ask(caller, method, target, body, headers)
        const line = `${caller} ${method} ${target} ${body ?? ''} ${JSON.stringify(headers)} → ${told.status} ${told.text.slice(0, 400)}`
        asked.push(line)
        if (told.status < 300) answered++
        if (told.status < 300 && method !== 'GET' && method !== 'HEAD') wrote = true
        const secrets = toldSecrets(request, told)
        if (secrets.length > 0) failures.push(`tells ${secrets}: ${line}`)
        if (
          told.status === 500 &&
          ((method === 'HEAD' && CLUSTER === undefined) || told.text.includes('internal error'))
        )
          failures.push(`fails: ${line}`)
        const twin = CLUSTER === undefined ? request : unknownTwin(request)
        const other = await absent.ask(caller, method, twin.target, twin.body, headers)
        // A cluster words one thing in several ways.
        const isSame =
          other.status === told.status && (CLUSTER !== undefined || steady(other.text) === steady(told.text))
        if (isCompared(request, told) && !isSame)
          failures.push(`differs: ${line}\n   absent ${other.status} ${other.text.slice(0, 400)}`)
        const held = await otherwise?.ask(caller, method, target, body, headers)
        const isSameHeld = held?.status === told.status && steady(held.text) === steady(told.text)
        if (held !== undefined && !isSameHeld && !SUMS.test(target))
          failures.push(`tells what is there: ${line}\n   otherwise ${held.status} ${held.text.slice(0, 400)}`)
      }
      if (!wrote) continue
      const after = await there.secrets()
      if (after !== before) {
        failures.push(`changed:\n  ${before}\n  ${after}\n by one of\n  ${asked.join('\n  ')}`)
        break
      }
      for (const domain of new Set([there, absent, otherwise])) await domain?.restore()
    }
    expect(failures.join('\n\n').slice(0, 200_000)).toBe('')
    expect(answered).toBeGreaterThan(20 * ROUNDS)
  })
})
