import type { EngineVersion } from '../../engine-version.ts'
import { GEO_SHAPE } from '../geo-shape/geo-shape-field-type.ts'
import { COMPLETION } from './completion-field-type.ts'
import { CONSTANT_KEYWORD } from './constant-keyword-field-type.ts'
import { DATE, DATE_NANOS } from './date-field-type.ts'
import { DERIVED } from './derived-field-type.ts'
import type { FieldType } from './field-type.ts'
import { FLAT_OBJECT } from './flat-object-field-type.ts'
import { GEO_POINT } from './geo-point-field-type.ts'
import { JOIN } from './join-field-type.ts'
import { KEYWORD } from './keyword-field-type.ts'
import { MATCH_ONLY_TEXT } from './match-only-text-field-type.ts'
import { numberType } from './number-field-type.ts'
import { PERCOLATOR, TOKEN_COUNT } from './opaque-field-types.ts'
import { rangeType } from './range-field-type.ts'
import { RANK_FEATURE, RANK_FEATURES } from './rank-feature-field-types.ts'
import { BINARY, BOOLEAN, IP } from './scalar-field-types.ts'
import { SEARCH_AS_YOU_TYPE } from './search-as-you-type-field-type.ts'
import { TEXT } from './text-field-type.ts'
import { WILDCARD } from './wildcard-field-type.ts'

/** The field types a mapping can name, but for `object`, `nested` and `alias`. */
const FIELD_TYPES: ReadonlyMap<string, FieldType> = new Map(
  [
    TEXT,
    KEYWORD,
    CONSTANT_KEYWORD,
    numberType('long'),
    numberType('integer'),
    numberType('short'),
    numberType('byte'),
    numberType('double'),
    numberType('float'),
    numberType('half_float'),
    numberType('scaled_float'),
    numberType('unsigned_long'),
    DATE,
    DATE_NANOS,
    BOOLEAN,
    IP,
    BINARY,
    GEO_POINT,
    rangeType('integer_range'),
    rangeType('long_range'),
    rangeType('float_range'),
    rangeType('double_range'),
    rangeType('date_range'),
    rangeType('ip_range'),
    TOKEN_COUNT,
    COMPLETION,
    GEO_SHAPE,
    PERCOLATOR,
    MATCH_ONLY_TEXT,
    SEARCH_AS_YOU_TYPE,
    WILDCARD,
    FLAT_OBJECT,
    RANK_FEATURE,
    RANK_FEATURES,
    JOIN,
    DERIVED,
  ].map((type) => [type.name, type]),
)

/** The type of a name in a version (undefined: in any), or undefined. */
export function fieldType(name: string, engineVersion?: EngineVersion): FieldType | undefined {
  const type = FIELD_TYPES.get(name)
  const isTooNew =
    (type?.isSince7 && engineVersion === 'Elasticsearch_6.8') ||
    (type?.isOpenSearch && engineVersion !== undefined && engineVersion !== 'OpenSearch_2.19')
  return isTooNew ? undefined : type
}
