/**
 * Kills a working server at random moments, starts it again and compares what it has with what it acknowledged.
 *
 *   npm run soak -- [--rounds 100] [--loads writes,indices] [--seed N]
 *
 * Loads are those of SOAK_LOADS, all of 6.8's unless some are named (those of later versions by themselves). Ends with `N passed, N failed`; exit code 1 when a fault was found.
 */
import { parseArgs } from 'node:util'
import { LATER_LOADS, runKillSoak, SOAK_LOADS, type SoakLoadName } from '../test/durability/kill-soak.ts'

const ofSix = (Object.keys(SOAK_LOADS) as SoakLoadName[]).filter((name) => !LATER_LOADS.has(name))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    loads: { type: 'string', default: ofSix.join() },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const seed = Number(values.seed)
const loads = values.loads.split(',') as SoakLoadName[]
const unknown = loads.filter((load) => !Object.hasOwn(SOAK_LOADS, load))
if (unknown.length > 0) throw new Error(`no load [${unknown}]; there are ${Object.keys(SOAK_LOADS).join()}`)
console.log(`seed ${seed}`)
const started = performance.now()
const report = await runKillSoak({
  rounds: Number(values.rounds),
  loads,
  seed,
  onRound: (round, faults) => {
    if (round % 10 === 0) console.log(`${round} rounds, ${faults} faults`)
  },
})
for (const fault of report.faults) console.log(fault)
for (const line of new Set(report.log)) console.log(line)
console.log(
  `${report.acknowledged} requests and writes acknowledged, ${report.cutOff} cut off; ${report.compared} documents and other facts compared; ` +
    `slowest start ${Math.round(report.slowestStartMs)} ms; ${Math.round((performance.now() - started) / 1000)} s`,
)
const failed = Math.min(report.rounds, report.faults.length)
console.log(`${report.rounds - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
