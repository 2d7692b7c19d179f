/**
 * Kills a writing server at random moments, starts it again and compares what it has with what it acknowledged.
 *
 *   npm run soak -- [--rounds 100] [--clients 6] [--index-clients 3] [--seed N]
 *
 * Ends with `N passed, N failed`; exit code 1 when a fault was found.
 */
import { parseArgs } from 'node:util'
import { runKillSoak } from '../test/durability/kill-soak.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    clients: { type: 'string', default: '6' },
    'index-clients': { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})

const seed = Number(values.seed)
console.log(`seed ${seed}`)
const started = performance.now()
const report = await runKillSoak({
  rounds: Number(values.rounds),
  clients: Number(values.clients),
  indexClients: Number(values['index-clients']),
  seed,
  onRound: (round, faults) => {
    if (round % 10 === 0) console.log(`${round} rounds, ${faults} faults`)
  },
})
for (const fault of report.faults) console.log(fault)
for (const line of new Set(report.log)) console.log(line)
console.log(
  `${report.acknowledged} writes and ${report.operations} other operations acknowledged, ${report.compared} documents compared; ${report.cutOff} requests cut off ` +
    `(${report.cutOffApplied} of their writes were applied); slowest start ${Math.round(report.slowestStartMs)} ms; ` +
    `${Math.round((performance.now() - started) / 1000)} s`,
)
const failed = Math.min(report.rounds, report.faults.length)
console.log(`${report.rounds - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
