import { expect, it } from 'vitest'
import { MixedLoad } from './mixed-load.ts'

it('a domain that does everything at once answers all of it, and has what it acknowledged after a kill', {
  timeout: 600_000,
}, async () => {
  const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
  const load = new MixedLoad({ durationMs: 11_000, rate: 20, seed, isDense: true })
  await load.run()
  expect([...new Set(load.faults)], `seed ${seed}`).toEqual([])
  expect(load.kept).toBeGreaterThan(0)
  if (process.env['CHAJA_SHOW']) console.log(load.asked, load.kept)
})
