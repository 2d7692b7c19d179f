/**
 * Everything at once, for long (test/durability/mixed-load.ts): what short loads do not meet is growth, and commits that are large. Tells the
 * domain's memory, and how long gets and searches took (middle/99th of a hundred), every minute.
 *
 *   npm run build && npm run load -- [--minutes 30] [--rate 60] [--seed N] [--steady]
 *
 * `--steady` writes the same documents over and over and nothing else: what grows then is a leak.
 *
 * Ends with `N passed, N failed`; the short form is part of `npm test`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MixedLoad } from '../test/durability/mixed-load.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steady: { type: 'boolean', default: false },
  },
})

let told = 0
console.log(`seed ${values.seed}`)
const load = new MixedLoad({
  durationMs: Number(values.minutes) * 60_000,
  rate: Number(values.rate),
  seed: Number(values.seed),
  isSteady: values.steady,
  onMinute: (minute, { asked, heapBytes, kept, faults, pid, waits }) => {
    console.log(
      `${minute} min: ${asked} asked, ${resident(pid)}, heap ${Math.round(heapBytes / 2 ** 20)} MB, ` +
        `${readdirSync(`/proc/${pid}/fd`).length} descriptors, ${kept} kept, ${faults.length} faults; ` +
        `ms of gets ${percentiles(waits.gets)}, of searches ${percentiles(waits.searches)}`,
    )
    tellFaults()
  },
})
await load.run()
tellFaults()
console.log(load.faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exitCode = load.faults.length === 0 ? 0 : 1

/** The middle one, and one that a hundredth exceeds. */
function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.5, 0.99].map((share) => sorted[Math.floor(share * sorted.length)]?.toFixed(1)).join('/')
}

/** Those that were not told yet. */
function tellFaults(): void {
  for (const fault of new Set(load.faults.slice(told))) console.log(fault.slice(0, 500))
  told = load.faults.length
}

/** Pages of files are the store's and the segments' as they were read last: the system takes them back where others need them. */
function resident(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return `resident ${mb('VmRSS')} MB (${mb('RssFile')} of files)`
}
