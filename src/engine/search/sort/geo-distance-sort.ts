import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { append, greatest, least } from '../../algorithms/long-lists.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import { arcMeters, planeMeters } from '../earth-distance.ts'
import { geoPointValues } from '../geo-point-values.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import type { SortKey } from '../search-request.ts'
import { combineNumbers } from './combined-values.ts'
import { wrongFieldData } from './field-data-class.ts'
import { nestedSortDocs } from './nested-sort.ts'
import type { SegmentSort } from './segment-sort.ts'

/**
 * Sorts by the distances between a document's points and those given (`_geo_distance`); documents without a point are
 * infinitely far away.
 *
 * @throws {ServiceError} illegal_argument_exception, class_cast_exception for fields that hold no points
 */
export function geoDistanceSort(
  key: SortKey & { readonly kind: 'geo_distance' },
  searcher: IndexSearcher,
): (leaf: Leaf) => SegmentSort {
  const field = searcher.mapping.field(key.field)
  const fail = (cause: ServiceError): ServiceError =>
    new ServiceError(cause.type, cause.reason, { inQueryPhase: true, index: searcher.indexName })
  if (field === undefined && !isBuiltInField(key.field, searcher.mapping) && !key.ignoreUnmapped) {
    const reason = `failed to find mapper for [${key.field}] for geo distance based sort`
    throw fail(illegalArgument(reason))
  }
  const wrong = wrongFieldData(
    field?.path ?? key.field,
    field,
    'IndexGeoPointFieldData',
    searcher.mapping.engineVersion,
  )
  if (wrong !== undefined) throw fail(wrong)
  if (key.fault !== undefined) throw faultInQueryPhase(key.fault.type, key.fault.reason)
  const nested = nestedSortDocs(key.nested, searcher)
  // One point in meters, nearest first, is a case of its own in the real servers, which measures arcs whatever is asked for.
  const isPlain = key.points.length === 1 && key.unitMeters === 1 && key.order === 'asc' && nested === undefined
  const mode = key.mode ?? (key.order === 'desc' ? 'max' : 'min')
  const meters = key.isPlane && !(isPlain && mode === 'min') ? planeMeters : arcMeters
  const most = key.nested?.maxChildren ?? Number.MAX_SAFE_INTEGER
  const sign = key.order === 'asc' ? 1 : -1
  // That case looks under the name it was given, where an alias has no values.
  const path = isPlain && mode === 'min' ? key.field : field?.path
  return (leaf) => {
    const points = path === undefined ? undefined : geoPointValues(leaf.segment, path)
    const objects = nested?.(leaf)
    const distances = (doc: number): number[] => {
      const found: number[] = []
      points?.(doc, (lat, lon) => {
        for (const point of key.points) found.push(meters(point.lat, point.lon, lat, lon) / key.unitMeters)
        return false
      })
      return found
    }
    const all = (root: number): number[] => {
      if (objects === undefined) return distances(root)
      const found: number[] = []
      let count = 0
      objects(root, (doc) => {
        const own = distances(doc)
        if (own.length === 0) return false
        if (++count > most) return true
        append(found, own)
        return false
      })
      return found
    }
    const value = (root: number): number => {
      const found = all(root)
      if (found.length === 0) return Number.POSITIVE_INFINITY
      if (mode === 'min') return least(found)
      if (mode === 'max') return greatest(found)
      return combineNumbers(
        found.sort((a, b) => a - b),
        mode,
      ) as number
    }
    return {
      read: value,
      before: () => undefined,
      rank: (doc) => sign * value(doc),
      ranks: (docs, _, count, out) => {
        for (let i = 0; i < count; i++) out[i] = sign * value(docs[i] as number)
      },
    }
  }
}
