import type { BucketsPath } from '../../engine/aggregation/pipeline-definition.ts'
import { ServiceError } from '../../errors.ts'
import { pathElements } from './path-elements.ts'

/** What buckets themselves have. */
const OF_BUCKETS: ReadonlySet<string> = new Set(['_count', '_key', '_bucket_count'])

/** Reads a path to a result: `a>b.metric`, `a>b[metric]`, `a['key']>b`, `_count`. */
export function parseBucketsPath(text: string): BucketsPath {
  try {
    return readPath(text)
  } catch (fault) {
    if (!(fault instanceof ServiceError)) throw fault
    return { text, names: [], metric: undefined, fault }
  }
}

/** @throws {ServiceError} illegal_argument_exception, aggregation_execution_exception */
function readPath(text: string): BucketsPath {
  const elements = pathElements(text)
  const last = elements.at(-1)
  const named = last?.key === undefined && OF_BUCKETS.has(last?.name ?? '') ? elements.slice(0, -1) : elements
  const names = named.map(({ name, key }) => ({ name, key: /^'(.*)'$/.exec(key ?? '')?.[1] }))
  const isKeyed = names.at(-1)?.key !== undefined
  return { text, names, metric: named === elements ? (isKeyed ? undefined : last?.key) : last?.name }
}
