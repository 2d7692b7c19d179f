import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { parseSource } from '../../engine/index/parse-source.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { IGNORED_FIELD } from '../../engine/mapping/ignored-field.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { ServiceError } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'

/**
 * `_ignored` of a document that was read by its id: the fields whose values were passed over as malformed, found by taking
 * its source apart again unless its segment tells that there are none. Empty where there are none.
 */
export function ignoredFields(document: StoredDocument, mapping: IndexMapping): { readonly _ignored?: Json } {
  const paths = ignoredPathsOf(document, mapping)
  return paths.length === 0 ? {} : { _ignored: inJavaHashOrder(paths) }
}

/** The fields that {@link ignoredFields} shows, in the order of the source. */
export function ignoredPathsOf(document: StoredDocument, mapping: IndexMapping): string[] {
  const { type, id, source, routing, isWhole } = document
  if (!mapping.ignoresMalformed || source === undefined || isWhole === true) return []
  return ignoredPaths(() => mapping.parse(type, id, parseSource(source), source, routing))
}

function ignoredPaths(parse: () => ReturnType<IndexMapping['parse']>): string[] {
  try {
    const root = parse().documents.at(-1)
    return (root?.fields ?? []).filter(({ field }) => field === IGNORED_FIELD).map(({ value }) => String(value))
  } catch (error) {
    // Written before a mapping that would refuse it now.
    if (error instanceof ServiceError) return []
    throw error
  }
}
