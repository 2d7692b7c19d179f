/**
 * Kills a working server at random moments, starts it again and compares what it has with what it acknowledged.
 *
 *   npm run soak -- [--rounds 100] [--loads writes,indices] [--seed N] [--ms 700]    killed after so long at most
 *   npm run soak -- --ask …                               it is asked to end (SIGTERM) instead
 *   npm run soak -- --disk [--rounds 100] [--seed N]      its disk fails in between instead (Linux, a C compiler)
 *   npm run soak -- --exact [--rounds 20] [--loads merge,restore] [--seed N]
 *                                                         it is killed at chosen calls for its files while it does certain things (the same)
 *
 * Loads are those of SOAK_LOADS, all of 6.8's unless some are named (those of later versions by themselves). Ends with `N passed, N failed`; exit code 1 when a fault was found.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runExactKills } from '../test/durability/exact-kills.ts'
import { compileFailingDisk } from '../test/durability/failing-disk.ts'
import { runDiskSoak } from '../test/durability/failing-disk-soak.ts'
import { LATER_LOADS, runKillSoak, SOAK_LOADS, type SoakLoadName } from '../test/durability/kill-soak.ts'

const ofSix = (Object.keys(SOAK_LOADS) as SoakLoadName[]).filter((name) => !LATER_LOADS.has(name))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    loads: { type: 'string', default: ofSix.join() },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    ms: { type: 'string', default: '700' },
    ask: { type: 'boolean', default: false },
    disk: { type: 'boolean', default: false },
    exact: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed)
if (values.exact) {
  await killExactly(Number(values.rounds), values.loads === ofSix.join() ? undefined : values.loads.split(','))
  process.exit()
}
const loads = values.loads.split(',') as SoakLoadName[]
const unknown = loads.filter((load) => !Object.hasOwn(SOAK_LOADS, load))
if (unknown.length > 0) throw new Error(`no load [${unknown}]; there are ${Object.keys(SOAK_LOADS).join()}`)
console.log(`seed ${seed}`)
if (values.disk) {
  await soakDisk(Number(values.rounds))
  process.exit()
}
const started = performance.now()
let told = 0
const report = await runKillSoak({
  rounds: Number(values.rounds),
  loads,
  seed,
  mostMs: Number(values.ms),
  signal: values.ask ? 'SIGTERM' : 'SIGKILL',
  onRound: (round, faults) => {
    for (const fault of faults.slice(told)) console.log(fault)
    told = faults.length
    if (round % 10 === 0) console.log(`${round} rounds, ${told} faults`)
  },
})
for (const line of new Set(report.log)) console.log(line)
console.log(
  `${report.acknowledged} requests and writes acknowledged, ${report.cutOff} cut off; ${report.compared} documents and other facts compared; ` +
    `slowest start ${Math.round(report.slowestStartMs)} ms; ${Math.round((performance.now() - started) / 1000)} s`,
)
const failed = Math.min(report.rounds, report.faults.length)
console.log(`${report.rounds - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function killExactly(kills: number, work: readonly string[] | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-kills-'))
  try {
    const library = compileFailingDisk(folder)
    if (library === undefined) throw new Error('it takes Linux and a C compiler (cc)')
    // At once: it may be ended before its end.
    const onKill = (what: string, faults: readonly string[]) => console.log([what, ...faults].join('\n'))
    const found = await runExactKills({ library, kills, seed, onKill, ...(work === undefined ? {} : { work }) })
    console.log(`killed ${found.kills} times, ${found.compared} documents compared`)
    const failed = Math.min(found.kills, found.faults.length)
    console.log(`${found.kills - failed} passed, ${failed} failed`)
    process.exitCode = failed > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakDisk(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-disk-'))
  try {
    const library = compileFailingDisk(folder)
    if (library === undefined) throw new Error('it takes Linux and a C compiler (cc)')
    const onRound = (round: number, faults: number) => {
      if (round % 10 === 0) console.log(`${round} rounds, ${faults} faults`)
    }
    const report = await runDiskSoak({ library, rounds, seed, onRound })
    for (const fault of report.faults) console.log(fault)
    console.log(
      `${report.acknowledged} writes acknowledged, ${report.refused} refused; ${report.reads} reads, ${report.readsRefused} refused; ` +
        `${report.compared} documents compared; ${report.recovered} times written again without a restart, ended ${report.ended} times by LMDB`,
    )
    console.log(report.faults.length === 0 ? `${rounds} passed, 0 failed` : `${report.faults.length} faults`)
    process.exitCode = report.faults.length > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
