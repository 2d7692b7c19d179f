/**
 * Does a domain analyze texts as the real server does? Asks both for every analyzer, tokenizer, token filter and char
 * filter, with each of their options at right and wrong values, and prints the causes of differences, each with its
 * first call.
 *
 *   npm run build && npx tsx scripts/compare-analysis.ts --version OpenSearch_2.19 --peer http://127.0.0.1:9411
 *   … --only synonym           only calls that speak of it
 *   … --explain                with every attribute
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type AnalysisCase, analysisCases } from './analysis-cases.ts'
import { startDomain } from './domain-process.ts'
import { type Answer, ask, cause, compare, type Difference } from './fuzz/answer.ts'
import { json } from './fuzz/exact-json.ts'

const { values: options } = parseArgs({
  options: {
    version: { type: 'string', default: 'OpenSearch_2.19' },
    peer: { type: 'string' },
    domain: { type: 'string' },
    only: { type: 'string', default: '' },
    explain: { type: 'boolean', default: false },
  },
})
if (options.peer === undefined) throw new Error('--peer is missing')
const peer = options.peer
const domain =
  options.domain === undefined ? await startDomain({ args: ['--engine-version', options.version] }) : undefined
const ours = options.domain ?? (domain?.url as string)

const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../test/vectors/analysis/${name}.json`, import.meta.url), 'utf8'))
const { texts, cases } = vectors('answers') as { texts: string[]; cases: { ask: AnalysisCase }[] }
const stems = vectors('stems') as Record<string, Record<string, string>>
const words = Object.values(stems).flatMap((table) => Object.values(table))
const MORE = [
  '👨‍👩‍👧‍👦👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈 🇰🇷🇯🇵🇺 1️⃣2️⃣ 🥲🏿 🦩🪐 ☎️ ™️ ©',
  'ᏣᎳᎩ ꭰꭱ Ა ა ᲀ 𞤀𞤢 𐓐𐓸 ẞ Ǆ ǅ ǆ İ ı Σς',
  '\u{1f1e6}\u{1f1e7} 𠮷野家 𝔘𝔫𝔦 𐎠𐎼 a\u0301\u0302 ก็ ꓘ𞥄 ႠႡ ⴀ',
  'ภาษาไทย ລາວ ខ្មែរ မြန်မာ བོད',
  'C++ C# .NET node.js a+b=c x_y snake_case camelCase HTTPServer2Go v2.0-beta 3G 4K',
  '~!@#$%^&*()_+`-={}|[]\\:";\'<>?,./ «quoted» “curly” ‘single’ – — …',
]
const short = [...texts, ...MORE]
/** Of many words, which only stemmers and stop words tell apart. */
const long = [...short, ...words]

interface Cause {
  count: number
  readonly difference: Difference
  readonly call: object
}
const causes = new Map<string, Cause>()
let asked = 0
let differ = 0

const callOf = (body: object) => ({
  method: 'POST',
  path: '/_analyze',
  body: options.explain ? { ...body, explain: true } : body,
})
const both = (body: object): Promise<[Answer, Answer]> => {
  const call = callOf(body)
  return Promise.all([ask(peer, call), ask(ours, call)])
}

/** Whether both answer the same bytes, which costs less to find out than where they part. */
async function isSame(body: object): Promise<boolean> {
  const { method, path, body: asked } = callOf(body)
  const init = { method, body: json(asked), headers: { 'content-type': 'application/json' } }
  const [real, own] = await Promise.all(
    [peer, ours].map(async (url) => {
      const answer = await fetch(url + path, init)
      return `${answer.status} ${answer.headers.get('warning') ?? ''} ${await answer.text()}`
    }),
  )
  return real === own
}

function note(of: AnalysisCase, text: string | undefined, difference: Difference): void {
  const group = `${Object.keys(of).join()} ${cause(difference)}`
  const known = causes.get(group)
  if (known !== undefined) known.count++
  else {
    causes.set(group, { count: 1, difference, call: { ...of, text } })
    console.error(`${json({ ...of, text })} ${json(difference)}`)
  }
}

/** The first text that is answered differently on its own. */
async function check(of: AnalysisCase): Promise<void> {
  asked++
  const all = /stem|snowball|stop|"analyzer"|porter/.test(json(of)) ? long : short
  if (await isSame({ ...of, text: all })) return
  const together = await both({ ...of, text: all })
  const tooMany = /exceeded the allowed maximum/.test(json(together[0].body))
  if (!tooMany && compare(...together) === undefined) return
  for (const text of all) {
    if (await isSame({ ...of, text })) continue
    const difference = compare(...(await both({ ...of, text })))
    if (difference === undefined) continue
    differ++
    note(of, text, difference)
    return
  }
  if (tooMany) return
  differ++
  note(of, 'all', compare(...together) as Difference)
}

for (const of of [...cases.map(({ ask: of }) => of), ...analysisCases()])
  if (json(of).includes(options.only)) await check(of).catch((error) => console.log(`${error} over ${json(of)}`))

for (const { count, difference, call } of [...causes.values()].sort((a, b) => b.count - a.count)) {
  console.log(`${count} × ${difference.at}\n  ${json(call)}`)
  console.log(`  real ${json(difference.real ?? null)}\n  ours ${json(difference.ours ?? null)}`)
}
console.log(`${differ} of ${asked} calls answered differently`)
await domain?.stop()
