import { doubleBox } from '../../script/script-value.ts'
import type { DocValuesKind } from './doc-values-list.ts'
import { ScriptBytes } from './script-bytes.ts'
import { scriptDate } from './script-date.ts'

const OWNER = 'org.elasticsearch.index.fielddata.ScriptDocValues'

/** Lists of values by what they are of. */
export const DOC_VALUES = {
  longs: { className: `${OWNER}$Longs`, absent: () => 0n, placeBytes: 8 },
  doubles: { className: `${OWNER}$Doubles`, absent: () => doubleBox(0), placeBytes: 8 },
  booleans: { className: `${OWNER}$Booleans`, absent: () => false, placeBytes: 1 },
  dates: { className: `${OWNER}$Dates`, absent: () => scriptDate(0), placeBytes: undefined },
  strings: { className: `${OWNER}$Strings`, absent: () => null, placeBytes: 4 },
  points: { className: `${OWNER}$GeoPoints`, absent: () => null, placeBytes: 4 },
  bytes: { className: `${OWNER}$BytesRefs`, absent: () => new ScriptBytes(new Uint8Array(0)), placeBytes: 4 },
  addresses: {
    className: 'org.elasticsearch.index.mapper.IpFieldMapper$IpFieldType$IpScriptDocValues',
    absent: () => null,
    placeBytes: 8,
    growsSlowly: true,
  },
} as const satisfies Readonly<Record<string, DocValuesKind>>
