/**
 * The tables of README.md, from what `bench.mjs --vs` has printed: one for searches, one for everything else.
 *
 *   npm run bench -- ... | tee out; npx tsx bench/table.ts < out
 */
import { text } from 'node:stream/consumers'

const figure = '([\\d,.]+)'
const side = `\\S+ ${figure} \\[.*?\\](?: p50 ${figure} p99 ${figure} ms(?: cpu ${figure} ms/op)?)?`
const line = new RegExp(`^(?:search )?(\\S+) (\\d+)-client +${side} +\\| +${side} +\\| +\\S+ ${figure} \\[(.*?)\\]x`)

const searches: string[] = []
const others: string[] = []
for (const printed of (await text(process.stdin)).split('\n')) {
  const [, name, clients, rate, , p99, cpu, otherRate, , otherP99, otherCpu, ratio, range] = line.exec(printed) ?? []
  if (name === undefined) continue
  if (printed.startsWith('search ')) {
    const share = (Number(cpu) / Number(otherCpu)).toFixed(2)
    searches.push(`| ${name} | ${rate} / ${otherRate} | ${ratio} × | ${share} × | ${p99} / ${otherP99} |`)
  } else {
    const people = clients === '1' ? '1 client' : `${clients} clients`
    others.push(`| ${name}, ${people} | ${rate} / ${otherRate} | ${ratio} × (${range?.replace('-', ' to ')}) |`)
  }
}
if (searches.length > 0) {
  console.log('| class | a second | | CPU | p99 ms |\n|---|--:|--:|--:|--:|')
  console.log(`${searches.join('\n')}\n`)
}
if (others.length > 0) console.log(`| | a second | |\n|---|--:|--:|\n${others.join('\n')}`)
