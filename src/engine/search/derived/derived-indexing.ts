import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { parseBoolean } from '../../../parse-boolean.ts'
import { failedBaseCast } from '../../java/java-class-text.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexedValue } from '../../mapping/parsed-document.ts'
import { parseAddress } from '../../mapping/types/ip-address.ts'
import { readDouble } from '../../mapping/types/parameter.ts'
import { classNameOf, type ScriptValue, textOf } from '../../script/values/script-value.ts'
import { EmittedPoint } from '../script/emit-functions.ts'

/**
 * Values that a derived field's script has emitted as an index would take them.
 *
 * @throws {ServiceError} class_cast_exception, number_format_exception and the like for what the field's type cannot be
 */
export function indexedValues(field: FieldMapping, values: readonly ScriptValue[]): IndexedValue[] {
  const indexed: IndexedValue[] = []
  for (const value of values) {
    if (value === null) continue
    try {
      indexed.push(indexedValue(field, value))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (field.derived?.ignoreMalformed) continue
      throw error.with({ inQueryPhase: true })
    }
  }
  return indexed
}

function indexedValue(field: FieldMapping, value: ScriptValue): IndexedValue {
  if (field.derived?.type === 'object')
    throw new ServiceError('exception', 'Cannot create IndexableField to execute queries on object derived field', {
      status: 400,
    })
  switch (field.kind) {
    case 'boolean':
      return Number(typeof value === 'boolean' ? value : parseBoolean(textOf(value)))
    case 'date':
      if (typeof value === 'bigint') return Number(value)
      if (typeof value === 'string' && field.derived?.part !== undefined) return field.format.parse(value)
      throw failed(value, 'java.lang.Long')
    case 'geo_point':
      if (value instanceof EmittedPoint) return pointBytes(value)
      throw new ServiceError(
        'class_cast_exception',
        'geo_point should be in format emit(double lat, double lon) for derived fields',
      )
    case 'ip':
      return parseAddress(textOf(value))
    case 'number':
      return field.type === 'long' ? readLong(textOf(value)) : readDecimal(textOf(value), field.type === 'float')
    default:
      if (typeof value === 'string') return value
      throw failed(value, 'java.lang.String')
  }
}

function failed(value: ScriptValue, wanted: string): ServiceError {
  const found = classNameOf(value)
  if (found.startsWith('java.')) return failedBaseCast(found, wanted)
  const place = `${found} is in unnamed module of loader 'app'; ${wanted} is in module java.base of loader 'bootstrap'`
  return new ServiceError('class_cast_exception', `class ${found} cannot be cast to class ${wanted} (${place})`)
}

function readLong(text: string): number | bigint {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function readDecimal(text: string, isFloat: boolean): number {
  const value = readDouble(text)
  return isFloat ? Math.fround(value) : value
}

function pointBytes({ lat, lon }: EmittedPoint): Uint8Array {
  check('latitude', lat, 90)
  check('longitude', lon, 180)
  const bytes = Buffer.alloc(16)
  bytes.writeDoubleLE(lat, 0)
  bytes.writeDoubleLE(lon, 8)
  return bytes
}

function check(what: string, value: number, most: number): void {
  if (Math.abs(value) <= most) return
  throw illegalArgument(`invalid ${what} ${javaDouble(value)}; must be between -${most}.0 and ${most}.0`)
}
