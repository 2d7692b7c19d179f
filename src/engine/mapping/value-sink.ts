import type { FieldMapping } from './field-mapping.ts'
import type { IndexedValue } from './parsed-document.ts'

/** Takes a document's values one by one, as {@link "scan-source.ts"} comes upon them. */
export interface ValueSink {
  /** A text that stands in the source as it is: UTF-8 from `from` to before `to`, without escapes. */
  range(field: FieldMapping, from: number, to: number, isAscii: boolean): void
  value(field: FieldMapping, value: IndexedValue): void
  /** A path that `_field_names` gets; the same one may come several times. */
  name(name: string): void
}
