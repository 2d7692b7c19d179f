import type { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { type EngineVersion, packageOf } from '../../engine-version.ts'
import { failedCast, objectText } from '../../java/java-class-text.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { noFieldData } from '../field-data.ts'
import { typeName } from '../queries/query-context.ts'

/** What the real server takes a field's values for, where it needs numbers or points. */
type Wanted = 'IndexNumericFieldData' | 'IndexGeoPointFieldData'

const KINDS: Readonly<Record<Wanted, ReadonlySet<FieldMapping['kind']>>> = {
  IndexNumericFieldData: new Set(['number', 'date', 'boolean']),
  IndexGeoPointFieldData: new Set(['geo_point']),
}

/**
 * Why a field's values are not of the kind wanted; the real server finds out by a cast that fails.
 *
 * @param field  undefined: one that no mapping lists
 * @returns undefined: nothing is wrong with them, or nothing is known of them
 */
export function wrongFieldData(
  path: string,
  field: FieldMapping | undefined,
  wanted: Wanted,
  engineVersion: EngineVersion,
): ServiceError | undefined {
  const isLucene7 = engineVersion === 'Elasticsearch_6.8'
  if (field?.docValues && KINDS[wanted].has(field.kind)) return undefined
  const unreadable = isRead(field, isLucene7) ? undefined : noFieldData(path, field, isLucene7)
  if (unreadable !== undefined) return illegalArgument(unreadable)
  const found = fieldDataClass(path, field, wanted, isLucene7)
  if (found === undefined) return undefined
  const data = `${packageOf(engineVersion)}.index`
  const is = found.startsWith('IdField') ? `${data}.mapper.${found}` : `${data}.fielddata.plain.${found}`
  return failedCast(is, `${data}.fielddata.${wanted}`)
}

/** What OpenSearch reads by document, though it does not sort by it: ranges and flat objects as a whole. */
function isRead(field: FieldMapping | undefined, isLucene7: boolean): boolean {
  if (isLucene7 || !field?.docValues) return false
  return field.kind === 'range' || (field.kind === 'keyword' && field.flat !== undefined)
}

function fieldDataClass(
  path: string,
  field: FieldMapping | undefined,
  wanted: Wanted,
  isLucene7: boolean,
): string | undefined {
  // 6.x tells these apart from what other indices were made with.
  const stored = isLucene7 ? 'DV' : ''
  if (path === '_id') return 'IdFieldMapper$IdFieldType$1$1'
  if (path === '_index' || path === '_type') return 'ConstantIndexFieldData'
  if (path === '_seq_no') return wanted === 'IndexNumericFieldData' ? undefined : `SortedNumeric${stored}IndexFieldData`
  switch (field?.kind) {
    case 'text':
      return 'PagedBytesIndexFieldData'
    case 'keyword':
      if (field.constant !== undefined) return 'ConstantIndexFieldData'
      return `SortedSet${stored}OrdinalsIndexFieldData`
    case 'ip':
      return `SortedSet${stored}OrdinalsIndexFieldData`
    case 'number':
    case 'date':
    case 'boolean':
      return `SortedNumeric${stored}IndexFieldData`
    case 'binary':
      return `BytesBinary${stored}IndexFieldData`
    case 'range':
      return 'BinaryIndexFieldData'
    case 'geo_point':
      return `AbstractLatLonPoint${stored}IndexFieldData$LatLonPoint${stored}IndexFieldData`
    case 'opaque':
    case undefined:
      return undefined
  }
}

/** The real server's class of a field's type, with what stands for the object's hash. */
export function fieldTypeClass(path: string, field: FieldMapping | undefined, engineVersion: EngineVersion): string {
  if (field !== undefined && typeName(field) === 'join')
    return objectText(`${packageOf(engineVersion)}.join.mapper.ParentJoinFieldMapper$JoinFieldType`)
  const name = field === undefined || path.startsWith('_') ? path.slice(1) : mapperOf(field)
  const type = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
  return objectText(`${packageOf(engineVersion)}.index.mapper.${type}FieldMapper$${type}FieldType`)
}

function mapperOf(field: FieldMapping): string {
  if (field.kind === 'number') return field.type === 'scaled_float' ? field.type : field.kind
  return field.kind === 'date' || field.kind === 'range' ? field.kind : typeName(field)
}
