import { ServiceError } from '../../errors.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import { typeName } from './queries/query-context.ts'

/** Metadata fields whose values stand nowhere by document. */
const WITHOUT: ReadonlySet<string> = new Set([
  '_data_stream_timestamp',
  '_doc_count',
  '_field_names',
  '_ignored',
  '_nested_path',
  '_routing',
  '_source',
  '_version',
])

/** Those of them that 6.x does not have. */
const LATER: ReadonlySet<string> = new Set(['_data_stream_timestamp', '_doc_count', '_nested_path'])

/**
 * Why a field's values cannot be read by document (to sort by them or to show them); undefined: they can.
 *
 * @param field      undefined: no mapping lists it
 * @param isLucene7  whether 6.x words it
 */
export function noFieldData(path: string, field: FieldMapping | undefined, isLucene7: boolean): string | undefined {
  if (WITHOUT.has(path) && !(isLucene7 && LATER.has(path)))
    return `Fielddata is not supported on field [${path}] of type [${path}]`
  if (field === undefined) return undefined
  const isOpaque = field.kind === 'opaque' || field.kind === 'range'
  if (isOpaque || (field.kind === 'text' && (field.subField !== undefined || field.shingles !== undefined)))
    return notSupported(field)
  if (field.kind === 'text') {
    if (field.fielddata) return undefined
    return isLucene7
      ? `Fielddata is disabled on text fields by default. Set fielddata=true on [${field.path}] in order to load fielddata in memory by uninverting the inverted index. Note that this can however use significant memory. Alternatively use a keyword field instead.`
      : `Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field.path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`
  }
  if (field.kind === 'keyword' && field.flat !== undefined && field.flat.prefix === undefined)
    return `Field [${field.flat.path}] of type [flat_object] does not support doc_value in root field`
  if (field.docValues) return undefined
  return needsDocValues(field)
}

/** Why an aggregation cannot read a field's values: it reads ranges and shapes, too. As {@link noFieldData} otherwise. */
export function noAggregatedData(field: FieldMapping, isLucene7: boolean): string | undefined {
  switch (field.kind) {
    case 'binary':
      return notSupported(field)
    case 'opaque':
      return field.docValues ? undefined : notSupported(field)
    case 'range':
      if (isLucene7) return notSupported(field)
      return field.docValues ? undefined : needsDocValues(field)
    default:
      return noFieldData(field.path, field, isLucene7)
  }
}

const notSupported = (field: FieldMapping): string => {
  const type = typeName(field)
  return type === 'rank_feature' || type === 'rank_features'
    ? `[${type}] fields do not support sorting, scripting or aggregating`
    : `Fielddata is not supported on field [${field.path}] of type [${type}]`
}

const needsDocValues = (field: FieldMapping): string =>
  `Can't load fielddata on [${field.path}] because fielddata is unsupported on fields of type [${typeName(field)}]. Use doc values instead.`

/** An error of a field whose values cannot be read by document. */
export function fieldDataError(reason: string, index: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { inQueryPhase: true, index })
}
