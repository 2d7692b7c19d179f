import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of the heap and behind it, once garbage has been collected so often, with pauses for what is let go of late. */
export async function keptBytes(collections: number, pauseMs: number): Promise<number> {
  for (let i = 0; i < collections; i++) {
    await sleep(pauseMs)
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * What so many rounds leave: the least by which each count grew, time after time. What is made once, late (code that V8 compiles by and
 * by), is not left by each round: that shows every time.
 */
export async function leftByRounds<Name extends string>(
  rounds: number,
  round: (n: number) => Promise<void>,
  kept: () => Promise<Readonly<Record<Name, number>>>,
): Promise<Readonly<Record<Name, number>>> {
  let n = 0
  const marks: Readonly<Record<Name, number>>[] = []
  while (marks.length < 4) {
    for (const end = n + rounds; n < end; n++) await round(n)
    marks.push(await kept())
  }
  const [first, ...others] = marks as [Readonly<Record<Name, number>>]
  const grown = (name: Name): number =>
    Math.min(...others.map((mark: Readonly<Record<Name, number>>, i) => mark[name] - (marks[i] as typeof mark)[name]))
  return Object.fromEntries((Object.keys(first) as Name[]).map((name) => [name, grown(name)])) as Record<Name, number>
}
