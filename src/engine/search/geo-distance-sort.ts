import { ServiceError } from '../../errors.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import { combineNumbers } from './combined-values.ts'
import { arcMeters, planeMeters } from './earth-distance.ts'
import { noFieldData } from './field-data.ts'
import { geoPointValues } from './geo-point-values.ts'
import type { Leaf } from './lucene/leaf.ts'
import { nestedSortDocs } from './nested-sort.ts'
import type { SortKey } from './search-request.ts'
import type { SegmentSort } from './segment-sort.ts'

const DATA = 'org.elasticsearch.index.fielddata'

/** 6.x finds out too late that the values of a field are no points. */
function notPoints({ kind }: FieldMapping): ServiceError {
  const terms = kind === 'text' ? 'PagedBytesIndexFieldData' : 'SortedSetDVOrdinalsIndexFieldData'
  const is = `${DATA}.plain.${kind === 'text' || kind === 'keyword' || kind === 'ip' ? terms : 'SortedNumericDVIndexFieldData'}`
  const points = `${DATA}.IndexGeoPointFieldData`
  const reason = `class ${is} cannot be cast to class ${points} (${is} and ${points} are in unnamed module of loader 'app')`
  return new ServiceError('class_cast_exception', reason, { inQueryPhase: true })
}

/**
 * Sorts by the distances between a document's points and those given (`_geo_distance`); documents without a point are
 * infinitely far away.
 *
 * @throws {ServiceError} illegal_argument_exception for fields that hold no points
 */
export function geoDistanceSort(
  key: SortKey & { readonly kind: 'geo_distance' },
  searcher: IndexSearcher,
  isLucene7: boolean,
): (leaf: Leaf) => SegmentSort {
  const field = searcher.mapping.field(key.field)
  const fail = (reason: string): ServiceError =>
    new ServiceError('illegal_argument_exception', reason, { inQueryPhase: true, index: searcher.indexName })
  if (field === undefined && !key.ignoreUnmapped) {
    throw fail(`failed to find mapper for [${key.field}] for geo distance based sort`)
  }
  if (field !== undefined && field.kind !== 'geo_point') {
    if (!isLucene7) throw fail(`field [${key.field}] is not a geo_point field`)
    const reason = noFieldData(field.path, field, isLucene7)
    throw reason === undefined ? notPoints(field) : fail(reason)
  }
  if (field !== undefined && !field.docValues) {
    throw fail(
      `Can't load fielddata on [${field.path}] because fielddata is unsupported on fields of type [geo_point]. Use doc values instead.`,
    )
  }
  if (key.fault !== undefined) throw new ServiceError(key.fault.type, key.fault.reason, { inQueryPhase: true })
  const nested = nestedSortDocs(key.nested, searcher, isLucene7)
  // One point in meters, nearest first, is a case of its own in the real servers, which measures arcs whatever is asked for.
  const isPlain = key.points.length === 1 && key.unitMeters === 1 && key.order === 'asc' && nested === undefined
  const meters = key.isPlane && !(isPlain && (key.mode ?? 'min') === 'min') ? planeMeters : arcMeters
  const mode = key.mode ?? (key.order === 'desc' ? 'max' : 'min')
  const most = key.nested?.maxChildren ?? Number.MAX_SAFE_INTEGER
  const sign = key.order === 'asc' ? 1 : -1
  return (leaf) => {
    const points = field === undefined ? undefined : geoPointValues(leaf.segment, field.path)
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
        found.push(...own)
        return false
      })
      return found
    }
    const value = (root: number): number => {
      const found = all(root)
      if (found.length === 0) return Number.POSITIVE_INFINITY
      if (mode === 'min') return Math.min(...found)
      if (mode === 'max') return Math.max(...found)
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
