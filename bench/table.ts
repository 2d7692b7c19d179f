/**
 * The tables of README.md, from what `bench.mjs --vs` has printed: one for searches, one for everything else.
 *
 *   npm run bench -- ... | tee out; npx tsx bench/table.ts < out
 */
import { text } from 'node:stream/consumers'

const figure = '([\\d,.]+)'
const side = `\\S+ ${figure} \\[.*?\\](?: p50 ${figure} p99 ${figure} ms(?: cpu ${figure} ms/op)?)?`
const line = new RegExp(`^(?:search )?(\\S+) (\\d+)-client +${side} +\\| +${side} +\\| +\\S+ ${figure} \\[(.*?)\\]x`)

/** By class: what one client waits at the median, as a share of what it waits for the other server. */
const waits = new Map<string, string>()
const searches: { readonly name: string; readonly cells: string }[] = []
const others: string[] = []
for (const printed of (await text(process.stdin)).split('\n')) {
  const [, name, clients, rate, p50, p99, cpu, otherRate, otherP50, otherP99, otherCpu, ratio, range] =
    line.exec(printed) ?? []
  if (name === undefined) continue
  const isOne = clients === '1'
  if (!printed.startsWith('search ')) {
    const people = isOne ? '1 client' : `${clients} clients`
    others.push(`| ${name}, ${people} | ${rate} / ${otherRate} | ${ratio} × (${range?.replace('-', ' to ')}) |`)
  } else if (isOne) waits.set(name, `${(Number(p50) / Number(otherP50)).toFixed(2)} ×`)
  else {
    const share = (Number(cpu) / Number(otherCpu)).toFixed(2)
    searches.push({ name, cells: `${rate} / ${otherRate} | ${ratio} × | ${share} × | ${p99} / ${otherP99}` })
  }
}
if (searches.length > 0) {
  console.log('| class | a second | | CPU | p99 ms | 1 client, p50 |\n|---|--:|--:|--:|--:|--:|')
  for (const { name, cells } of searches) console.log(`| ${name} | ${cells} | ${waits.get(name) ?? ''} |`)
  console.log()
}
if (others.length > 0) console.log(`| | a second | |\n|---|--:|--:|\n${others.join('\n')}`)
