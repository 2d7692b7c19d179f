import type {
  BinaryField,
  BooleanField,
  DateField,
  GeoPointField,
  IpField,
  KeywordField,
  NumberField,
  OpaqueField,
  RangeField,
  TextField,
} from '../mapping/field-mapping.ts'

/** What of a field's mapping tells how its values are inverted. */
export type SegmentField =
  | SegmentTextField
  | Pick<KeywordField, 'kind' | 'path' | 'index' | 'docValues' | 'indexOptions' | 'norms' | 'isAsLongAsUnique'>
  | Pick<NumberField | DateField, 'kind' | 'path' | 'index' | 'docValues'>
  | Pick<IpField | BooleanField, 'kind' | 'path' | 'docValues'>
  | Pick<BinaryField | GeoPointField | RangeField | OpaqueField, 'kind' | 'path'>

/** {@link SegmentField} of an analyzed text. */
export type SegmentTextField = Pick<
  TextField,
  | 'kind'
  | 'path'
  | 'typeName'
  | 'analyzer'
  | 'norms'
  | 'indexOptions'
  | 'positionIncrementGap'
  | 'subField'
  | 'isAsLongAsUnique'
>
