import { expect, it } from 'vitest'
import { Random } from '../../scripts/fuzz/random.ts'
import { askBackend } from '../ask-backend.ts'
import { openRest } from '../open-rest.ts'
import { faultOfAnswer, MutatedCalls } from './mutated-calls.ts'
import { RECORDED_VERSIONS } from './recorded-files.ts'

const FILES = 3
const EACH = 2

// `npm run mutate` asks far more of them, over HTTP.
it.each(RECORDED_VERSIONS)(
  'calls that nobody would send are answered, and not as a fault of its own (%s)',
  async (version) => {
    const random = new Random(Number(process.env['CHAJA_SEED'] ?? 1))
    const calls = new MutatedCalls(version)
    const rejected: unknown[] = []
    const onRejection = (error: unknown): void => void rejected.push(error)
    process.on('unhandledRejection', onRejection)
    const faults: string[] = []
    try {
      for (let i = 0; i < FILES; i++) {
        const rest = await openRest(version)
        for (const call of calls.of(random.pick(calls.names), EACH, random)) {
          const began = performance.now()
          const { status, body } = await askBackend(rest.backend, call.method, call.path, call.body)
          const fault = faultOfAnswer(call, status, String(body), performance.now() - began)
          if (fault !== undefined) faults.push(`${call.method} ${call.path} ${call.body ?? ''}: ${fault}`)
        }
        await rest.close()
      }
    } finally {
      process.off('unhandledRejection', onRejection)
    }
    expect(faults).toEqual([])
    expect(rejected).toEqual([])
  },
)
