import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openRest } from '../open-rest.ts'
import { RACED_VERSIONS, RequestRace } from './request-race.ts'

it.each(RACED_VERSIONS)(
  'requests that disturb each other are answered as disturbed ones may be, and what is acknowledged stays (%s)',
  async (version) => {
    const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
    const root = mkdtempSync(join(tmpdir(), 'chaja-race-'))
    const rest = await openRest(version, { repositoryPaths: [root] })
    const rejected: unknown[] = []
    const onRejection = (error: unknown): void => void rejected.push(error)
    process.on('unhandledRejection', onRejection)
    try {
      const race = new RequestRace({
        ask: rest.ask,
        version,
        repository: join(root, 'r'),
        clients: 6,
        requests: Number(process.env['CHAJA_CASES'] ?? 60),
        seed,
      })
      await race.run()
      if (process.env['CHAJA_SHOW'])
        console.log(
          [...race.answers]
            .sort()
            .map(([what, n]) => `${n} ${what}`)
            .join('\n'),
        )
      expect([...race.faults, ...rejected], `seed ${seed}`).toEqual([])
    } finally {
      process.off('unhandledRejection', onRejection)
      await rest.close()
      rmSync(root, { recursive: true, force: true })
    }
  },
)
