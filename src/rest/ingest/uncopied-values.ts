import { ScriptList } from '../../engine/script/values/script-list.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import { Box, classNameOf, type ScriptValue } from '../../engine/script/values/script-value.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import type { IngestDocument, Value } from './ingest-document.ts'

/** Classes that the real servers copy documents with, besides maps, lists and plain values. */
const COPIED: ReadonlySet<string> = new Set(['java.time.ZonedDateTime', 'java.util.Date'])

/**
 * Looks whether a document, as its last script left it, can be copied.
 *
 * @param copiesShorts  as OpenSearch does
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkCopied({ scripted, source }: IngestDocument, copiesShorts: boolean): void {
  const found = scripted === undefined ? undefined : uncopiedClass(scripted, source, copiesShorts)
  if (found !== undefined) throw illegalArgument(`unexpected value type [class ${found}]`)
}

/**
 * The Java class of the first value that a script left and that the real server cannot copy: arrays, sets, most times.
 *
 * @param shown         what is there of it now
 * @param copiesShorts  whether bytes and shorts are copied, as OpenSearch does
 */
function uncopiedClass(value: ScriptValue, shown: unknown, copiesShorts: boolean): string | undefined {
  if (value instanceof ScriptMap) {
    if (!isObject(shown)) return undefined
    for (const { entryKey, value: member } of value.entries()) {
      const now = (shown as Readonly<Record<string, Value>>)[String(entryKey)]
      const found = now === undefined ? undefined : uncopiedClass(member, now, copiesShorts)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (value instanceof ScriptList) {
    for (const [i, item] of value.items.entries()) {
      const found = Array.isArray(shown) && i < shown.length ? uncopiedClass(item, shown[i], copiesShorts) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  if (value instanceof Box)
    return !copiesShorts && (value.kind === 'byte' || value.kind === 'short') ? classNameOf(value) : undefined
  if (typeof value !== 'object' || value === null || COPIED.has(classNameOf(value))) return undefined
  return classNameOf(value)
}
