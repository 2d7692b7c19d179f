import { expect, it, vi } from 'vitest'
import { CommitFailedError } from '../store/commit-queue.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import { WriteGate } from './write-gate.ts'

const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** A gate before a store that a failed commit has broken; `steps` is what happens in which order. */
function brokenGate() {
  const steps: string[] = []
  const state = { failure: new CommitFailedError(FULL) as CommitFailedError | undefined, isBroken: true, loads: true }
  const store = {
    get failure() {
      return state.failure
    },
    get isBroken() {
      return state.isBroken
    },
    reopen: async () => {
      steps.push('reopened')
      state.isBroken = false
      return true
    },
    recover: async () => {
      steps.push('recovered')
      state.failure = undefined
      return true
    },
  } as unknown as LmdbStore
  const gate = new WriteGate({
    store,
    dataDir: '/',
    version: 'OpenSearch_2.19',
    log: () => {},
    onFailure: () => {
      steps.push('loaded')
      if (!state.loads) throw new Error('unreadable')
    },
    onRecovery: () => steps.push('told'),
  })
  return { gate, steps, state }
}

it('has what the disk has loaded before writes are taken again, for a removal on a full disk too', async () => {
  const { gate, steps } = brokenGate()
  expect(() => gate.check('i')).toThrow('blocked by')
  expect(steps).toEqual([])
  await Promise.all([gate.checkRemoval('i'), gate.checkRemoval('j')])
  expect(steps).toEqual(['reopened', 'loaded', 'recovered'])
  gate.close()
})

it('takes no writes until what the disk has could be loaded', async () => {
  vi.useFakeTimers()
  const { gate, steps, state } = brokenGate()
  state.loads = false
  expect(() => gate.check('i')).toThrow('blocked by')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(steps).toEqual(['reopened', 'loaded'])
  expect(() => gate.check('i')).toThrow('blocked by')
  state.loads = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(steps).toEqual(['reopened', 'loaded', 'reopened', 'loaded', 'recovered', 'told'])
  gate.check('i')
  gate.close()
  vi.useRealTimers()
})
