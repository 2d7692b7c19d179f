import { CallPool, type MutableCall, mutateCall } from '../../scripts/fuzz/mutate-call.ts'
import type { Random } from '../../scripts/fuzz/random.ts'
import { RECORDED_FILES, type RecordedVersion, recordedCalls, recordedVersion } from './recorded-files.ts'

const LONGEST_MS = 10_000

/** Types of faults that are the server's own, or said to be, whatever was sent: a disk, a time, a processor that is there to fail. */
const OWN_FAULTS = new Set([
  'concurrent_snapshot_execution_exception',
  'fail_processor_exception',
  'process_cluster_event_timeout_exception',
  'repository_exception',
  'repository_verification_exception',
  'snapshot_exception',
  'snapshot_restore_exception',
  'timeout_exception',
  'too_many_buckets_exception',
  'unavailable_shards_exception',
])

/** The official test suite asks for a 500 here. */
const ASKED_FOR = 'cannot support regular expression style include/exclude settings'

/** What was recorded of a real server, in files of calls that follow each other, changed in some places. */
export class MutatedCalls {
  readonly #files: ReadonlyMap<string, readonly MutableCall[]>
  readonly #pool: CallPool

  constructor(version: RecordedVersion) {
    const names = RECORDED_FILES.filter((name) => recordedVersion(name) === version)
    this.#files = new Map(names.map((name) => [name, recordedCalls(name)]))
    this.#pool = new CallPool([...this.#files.values()].flat())
  }

  get names(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** The calls of a file, each with so many that resemble it before it: what it changes is not there yet. */
  *of(name: string, each: number, random: Random): Generator<MutableCall> {
    for (const call of this.#files.get(name) ?? []) {
      for (let i = 0; i < each; i++) yield mutateCall(call, this.#pool, random)
      yield call
    }
  }
}

/** What is wrong with an answer; nothing where it is one that a client can use. */
export function faultOfAnswer(
  { path }: MutableCall,
  status: number,
  answer: string,
  tookMs: number,
): string | undefined {
  // It may be told to wait for what never comes.
  if (tookMs > LONGEST_MS && !/wait_for/.test(path)) return `took ${Math.round(tookMs)} ms`
  if (/\n\s+at \S+ \(|node:internal|\/dist\/chunks\//.test(answer)) return `tells of its inside: ${answer}`
  if (status < 500 || status === 501 || answer.includes(ASKED_FOR)) return undefined
  const types = [...answer.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type as string)
  return types.some((type) => OWN_FAULTS.has(type)) ? undefined : `${status} ${answer}`
}
