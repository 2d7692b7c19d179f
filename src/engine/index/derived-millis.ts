import type { FieldReader, LongArray } from './segment-reader.ts'

/** No path of a mapping holds it. */
const SUFFIX = '\u0000millis'

/** Path under which a segment offers the milliseconds of a field that holds nanoseconds. */
export const millisPath = (path: string): string => path + SUFFIX

/** Whether {@link millisPath} made a path. */
export const isMillisPath = (path: string): boolean => path.endsWith(SUFFIX)

/** The path that {@link millisPath} was given. */
export const pathOfNanos = (path: string): string => path.slice(0, -SUFFIX.length)

/** A field of nanoseconds as one of milliseconds: its column and its points, in the same order. */
export function derivedMillis(field: FieldReader): FieldReader {
  const { docValues, points } = field
  return {
    ...field,
    docValues:
      docValues?.kind !== 'bigint'
        ? docValues
        : {
            kind: 'numeric',
            present: docValues.present,
            offsets: docValues.offsets,
            values: inMillis(docValues.values),
          },
    points: points?.values instanceof BigInt64Array ? { docs: points.docs, values: inMillis(points.values) } : points,
  }
}

/** Nanoseconds are never negative, so that dividing rounds down. */
const inMillis = (nanos: LongArray): Float64Array => Float64Array.from(nanos, (value) => Number(value / 1_000_000n))
