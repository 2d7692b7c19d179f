import { globalOrdinalsBytes } from '../../engine/index/global-ordinals.ts'
import type { BinaryDocValues } from '../../engine/index/segment-reader.ts'
import { uninvertedBytes } from '../../engine/index/uninverted-column.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'

/** Bytes by field. */
export interface FieldMemory {
  /** Columns made from the terms of analyzed texts, and numberings of terms over several segments. */
  readonly fielddata: ReadonlyMap<string, number>
  /** What completion fields keep. */
  readonly completion: ReadonlyMap<string, number>
}

/** Of no fields at all. */
export const NO_FIELD_MEMORY: FieldMemory = { fielddata: new Map(), completion: new Map() }

/** Bytes of an open index that single fields account for. */
export function fieldMemory(index: IndexMetadata, context: RestContext): FieldMemory {
  const fielddata = new Map<string, number>()
  const completion = new Map<string, number>()
  const searcher = context.engine.searcher(index.name)
  try {
    for (const segment of searcher.segments) {
      for (const path of segment.fieldNames()) {
        const reader = segment.field(path)
        if (reader === undefined) continue
        addBytes(fielddata, path, uninvertedBytes(reader))
        if (reader.terms !== undefined) addBytes(fielddata, path, globalOrdinalsBytes(reader.terms))
        const field = searcher.mapping.field(path)
        if (field?.kind === 'opaque' && field.type === 'completion' && reader.docValues?.kind === 'binary')
          addBytes(completion, path, binaryBytes(reader.docValues, segment.maxDoc))
      }
    }
  } finally {
    searcher.release()
  }
  return { fielddata, completion }
}

/** The sum over all fields, and the fields that patterns name. */
export function renderFieldMemory(
  bytes: ReadonlyMap<string, number>,
  name: string,
  patterns: readonly string[] | undefined,
): { readonly [name: string]: Json } {
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  const fields = [...bytes].filter(([path]) => patterns?.some((pattern) => matchWildcard(pattern, path)))
  return {
    [name]: total,
    ...(patterns === undefined
      ? {}
      : { fields: Object.fromEntries(fields.map(([path, size]) => [path, { [name]: size }])) }),
  }
}

function addBytes(to: Map<string, number>, path: string, bytes: number): void {
  if (bytes > 0) to.set(path, (to.get(path) ?? 0) + bytes)
}

function binaryBytes({ offsets, value }: BinaryDocValues, maxDoc: number): number {
  const count = offsets === undefined ? maxDoc : (offsets[maxDoc] as number)
  let bytes = 0
  for (let i = 0; i < count; i++) bytes += value(i).byteLength
  return bytes
}
