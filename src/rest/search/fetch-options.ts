import type { JsonValue } from '../body/parse-json.ts'
import type { SourceFilter } from '../documents/source-filter.ts'
import type { DocValueField, ShownField } from './doc-value-fields.ts'
import type { ScriptField } from './script-fields.ts'

/** What an answer shows of each hit. */
export interface FetchOptions {
  readonly source: SourceFilter
  readonly storedFields: readonly string[] | undefined
  readonly docValueFields: readonly DocValueField[]
  /** `fields`: what the source has of them. */
  readonly sourceFields?: readonly ShownField[]
  /** `script_fields`. */
  readonly scriptFields?: readonly ScriptField[]
  readonly version: boolean
  readonly seqNo: boolean
  readonly explain: boolean
  /** The `highlight` object, not yet read. */
  readonly highlight: JsonValue | undefined
}

/** Whether nothing is asked of hits' records. */
export const isRecordless = ({ storedFields }: FetchOptions): boolean =>
  storedFields?.length === 1 && storedFields[0] === '_none_'
