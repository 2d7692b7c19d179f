import type { EngineLog } from '../../engine/engine.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { type SlowLogLevels, slowLogLevels } from '../../engine/metadata/slow-log-levels.ts'
import type { EndpointRequest } from '../rest-request.ts'

const PHASES = ['query', 'fetch'] as const

type Phase = (typeof PHASES)[number]

type Thresholds = Readonly<Record<Phase, SlowLogLevels>>

/** Of a body so many characters are told. */
const MOST_TOLD = 10_000

/** By an index' settings, which others take the place of when they change: most have none. */
const known = new WeakMap<object, Thresholds | 'none'>()

/**
 * Tells the log of a search that took longer than an index of its own says (`index.search.slowlog.*`), phase by phase. Its times are those
 * of the whole search, where the real servers take each shard's.
 *
 * @param took  milliseconds
 */
export function tellSlowSearch(
  log: EngineLog,
  index: IndexMetadata,
  request: EndpointRequest,
  took: Readonly<Record<Phase, number>>,
): void {
  const thresholds = thresholdsOf(index, request)
  if (thresholds === 'none') return
  for (const phase of PHASES) {
    const [level] = thresholds[phase].find(([, ms]) => took[phase] > ms) ?? []
    if (level === undefined) continue
    const { opaqueId: id } = request
    const fields = {
      index: index.name,
      tookMillis: Math.round(took[phase]),
      source: request.body.toString('utf8', 0, MOST_TOLD),
      ...(id === undefined ? {} : { id }),
    }
    log(level, fields, `slow search: ${phase}`)
  }
}

function thresholdsOf({ settings }: IndexMetadata, { dialect }: EndpointRequest): Thresholds | 'none' {
  const before = known.get(settings)
  if (before !== undefined) return before
  const of = (phase: Phase) => slowLogLevels(settings, 'index.search.slowlog', phase, dialect.engineVersion)
  const found = { query: of('query'), fetch: of('fetch') }
  const thresholds = found.query.length + found.fetch.length === 0 ? 'none' : found
  known.set(settings, thresholds)
  return thresholds
}
