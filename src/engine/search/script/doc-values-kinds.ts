import { scriptDate } from '../../script/time/script-date.ts'
import { BigInteger } from '../../script/values/script-json.ts'
import { doubleBox } from '../../script/values/script-value.ts'
import type { DocValuesKind } from './doc-values-list.ts'
import { ScriptBytes } from './script-bytes.ts'
import { ScriptGeoPoint } from './script-geo-point.ts'

const OWNER = 'org.elasticsearch.index.fielddata.ScriptDocValues'

/** Lists of values by what they are of. */
export const DOC_VALUES = {
  longs: { className: `${OWNER}$Longs`, absent: () => 0n, unused: 0n, placeBytes: 8 },
  bigIntegers: {
    className: `${OWNER}$UnsignedLongs`,
    absent: () => new BigInteger(0n),
    unused: new BigInteger(0n),
    placeBytes: 8,
  },
  doubles: { className: `${OWNER}$Doubles`, absent: () => doubleBox(0), unused: doubleBox(0), placeBytes: 8 },
  booleans: { className: `${OWNER}$Booleans`, absent: () => false, unused: false, placeBytes: 1 },
  dates: { className: `${OWNER}$Dates`, absent: () => scriptDate(0), unused: null, placeBytes: undefined },
  strings: { className: `${OWNER}$Strings`, absent: () => null, unused: '', placeBytes: 4 },
  points: { className: `${OWNER}$GeoPoints`, absent: () => null, unused: new ScriptGeoPoint(0, 0), placeBytes: 4 },
  bytes: {
    className: `${OWNER}$BytesRefs`,
    absent: () => new ScriptBytes(new Uint8Array(0)),
    unused: new ScriptBytes(new Uint8Array(0)),
    placeBytes: 4,
  },
  addresses: {
    className: 'org.elasticsearch.index.mapper.IpFieldMapper$IpFieldType$IpScriptDocValues',
    absent: () => null,
    unused: null,
    placeBytes: 8,
    growsSlowly: true,
    isNullable: true,
  },
} as const satisfies Readonly<Record<string, DocValuesKind>>
