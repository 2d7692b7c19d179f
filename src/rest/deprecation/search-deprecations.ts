import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { type DocValueField, docValuePaths } from '../search/doc-value-fields.ts'
import { noteDateFormat, ofIndices } from './date-format-deprecations.ts'
import type { Warnings } from './warnings.ts'

type Body = { readonly [name: string]: JsonValue }

/** Notes what a search's body uses that is deprecated, but for its queries, aggregations and keys to sort by. */
export function noteSearch(body: Body, warnings: Warnings): void {
  if (isObject(body['indices_boost'])) warnings.note('boost_object')
  noteSourceParts(body, warnings)
}

/** The same of the parts of sources that hits show, of a search or of an aggregation. */
export function noteSourceParts({ _source: source }: Body, warnings: Warnings): void {
  if (!isObject(source)) return
  for (const name of ['include', 'exclude']) if (source[name] !== undefined) warnings.note('source_member', name, name)
}

/** Notes doc value fields that a hit shows: without a format in 6.x, with the one that says as much later. */
export function noteDocValueFields(
  fields: readonly DocValueField[],
  searchers: readonly IndexSearcher[],
  warnings: Warnings,
): void {
  const [searcher] = searchers
  const pathsOf = (asked: DocValueField): readonly string[] =>
    searcher === undefined ? [asked.field] : docValuePaths(asked, searcher)
  for (const asked of fields) {
    const { field, format, saysMapped } = asked
    if (saysMapped) warnings.note('mapped_format')
    // Others than dates have formats of another kind.
    const isDate = format !== undefined && pathsOf(asked).some((path) => searcher?.mapping.field(path)?.kind === 'date')
    if (isDate) noteDateFormat(format, ofIndices(warnings))
    if (field === '_id') warnings.note('id_fielddata')
    if (field === '_type') warnings.note('type_field')
  }
  const asIs = fields.filter(({ asScripts }) => asScripts)
  if (asIs.length === 0) return
  const paths = asIs.flatMap(pathsOf)
  warnings.note('no_format', paths.join(', '))
}

/** Notes fields to sort by that are deprecated. */
export function noteSortFields(keys: readonly SortKey[], warnings: Warnings): void {
  for (const key of keys) {
    if (key.kind !== 'field') continue
    if (key.field === '_id') warnings.note('id_fielddata')
    if (key.field === '_uid') warnings.note('uid_fielddata')
    if (key.field === '_type') warnings.note('type_field')
  }
}
