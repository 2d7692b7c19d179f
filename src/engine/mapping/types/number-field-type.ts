import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { NumberField, NumericType } from '../field-mapping.ts'
import { commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { doubleOfText, isWholeType, readNumber, roundToType, wordedOutOfRange } from './number-value.ts'
import { booleanParameter, differentValues, type Parameter, readDouble, refuseNull } from './parameter.ts'

/** A numeric type; all of them but scaled_float share one family, as in 6.x. */
export function numberType(name: NumericType): FieldType {
  const isScaled = name === 'scaled_float'
  const type: FieldType = {
    name,
    ...(name === 'unsigned_long' ? { isOpenSearch: true as const } : {}),
    family: isScaled ? 'scaled_float' : 'number',
    parameters: [
      ...commonParameters({ docValues: true }),
      ...(isScaled ? [SCALING_FACTOR] : []),
      booleanParameter('ignore_malformed', false, { explicit: true }),
      booleanParameter('coerce', true, { explicit: true }),
      {
        name: 'null_value',
        fallback: undefined,
        read: (value, scope) => {
          refuseNull(value, 'null_value')
          return nullValue(value, name, scope.engineVersion !== 'Elasticsearch_6.8')
        },
      },
    ],
    check: (parameters, scope) => {
      if (isScaled && !parameters.has('scaling_factor')) {
        const isOlder = scope.engineVersion === 'Elasticsearch_6.8'
        throw illegalArgument(
          isOlder
            ? `Field [${scope.name}] misses required parameter [scaling_factor]`
            : 'Field [scaling_factor] is required',
        )
      }
    },
    build: (scope) => {
      const value = (parameter: string): unknown => parameterValue(type, scope.definition, parameter)
      const setting = (parameter: 'coerce' | 'ignore_malformed'): boolean => {
        const given = scope.definition.parameters.get(parameter)
        if (typeof given === 'boolean') return given
        const ofIndex = scope.settings[`index.mapping.${parameter}`]
        return typeof ofIndex === 'string' ? ofIndex === 'true' : parameter === 'coerce'
      }
      const scalingFactor = value('scaling_factor') as number | undefined
      const coerce = setting('coerce')
      const given = value('null_value') as number | bigint | undefined
      const field: NumberField = {
        kind: 'number',
        type: name,
        coerce,
        ignoreMalformed: setting('ignore_malformed'),
        scalingFactor,
        nullValue: typeof given === 'number' && isScaled ? roundToType(given, { type: name, scalingFactor }) : given,
        ...fieldBase(type, scope),
      }
      const options = {
        type: name,
        coerce,
        scalingFactor,
        rangeError: scope.engineVersion === 'Elasticsearch_6.8' ? 'json_parse_exception' : 'input_coercion_exception',
        shortRangeError:
          scope.engineVersion === 'OpenSearch_2.19' ? 'input_coercion_exception' : 'json_parse_exception',
      } as const
      return {
        field,
        notesIgnored: field.ignoreMalformed && !isScaled,
        parse: (json) => (json === '' && coerce ? (field.nullValue as number | undefined) : readNumber(json, options)),
      }
    },
  }
  return type
}

const SCALING_FACTOR: Parameter = {
  name: 'scaling_factor',
  fallback: undefined,
  conflict: differentValues('scaling_factor'),
  shown: (value) => javaDouble(value as number),
  read: (value) => {
    const factor = readDouble(value)
    if (!Number.isFinite(factor) || factor <= 0) {
      throw illegalArgument(`[scaling_factor] must be a positive number, got [${javaDouble(factor)}]`)
    }
    return factor
  },
}

function nullValue(value: unknown, type: NumericType, modern: boolean): number | bigint {
  const isWhole = isWholeType(type)
  const text = Object.is(value, -0) ? '-0.0' : scalarText(value)
  if (isWhole) {
    const number = doubleOfText(text)
    const isEndless = Math.abs(number) === Number.POSITIVE_INFINITY
    if (isEndless && type === 'long') throw wordedOutOfRange(text, type)
    if (!isEndless && !Number.isInteger(number)) throw illegalArgument(`Value [${text}] has a decimal part`)
  }
  // As a text: what is out of range is worded for mappings, not for the JSON reader.
  return readNumber(text, {
    type: type === 'scaled_float' ? 'double' : type,
    coerce: true,
    scalingFactor: undefined,
    rangeError: modern ? 'input_coercion_exception' : 'json_parse_exception',
  })
}
