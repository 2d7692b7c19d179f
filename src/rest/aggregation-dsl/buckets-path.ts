import type { BucketsPath } from '../../engine/aggregation/pipelines/pipeline-definition.ts'
import { ServiceError } from '../../errors.ts'
import { pathElements } from './path-elements.ts'

/** What buckets themselves have. */
const OF_BUCKETS: ReadonlySet<string> = new Set(['_count', '_key', '_bucket_count'])

/** Reads a path to a result: `a>b.metric`, `a>b[metric]`, `a['key']>b`, `_count`. @param isInSix  as 6.8 goes by it */
export function parseBucketsPath(text: string, isInSix: boolean): BucketsPath {
  try {
    return readPath(text, isInSix)
  } catch (fault) {
    if (!(fault instanceof ServiceError)) throw fault
    return { text, names: [], metric: undefined, fault }
  }
}

/** @throws {ServiceError} illegal_argument_exception, aggregation_execution_exception */
function readPath(text: string, isInSix: boolean): BucketsPath {
  const elements = pathElements(text)
  const last = elements.at(-1)
  const named = last?.key === undefined && OF_BUCKETS.has(last?.name ?? '') ? elements.slice(0, -1) : elements
  const names = named.map(({ name, key }) => ({ name, key: /^'(.*)'$/.exec(key ?? '')?.[1] }))
  const isKeyed = names.at(-1)?.key !== undefined
  const all = elements.flatMap(({ name, key }) => (key === undefined ? [name] : [name, key]))
  const path = { text, names, metric: named === elements ? (isKeyed ? undefined : last?.key) : last?.name }
  return isInSix ? { ...path, elements: all } : path
}
