import { illegalArgument } from '../../../illegal-argument.ts'
import { setOwn } from '../../../set-own.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import type { RankFeatureField } from '../field-mapping.ts'
import { JsonNumber } from '../lossless-json.ts'
import { MemberError } from '../member-error.ts'
import { fieldBase } from './common-parameters.ts'
import { type BuildScope, type FieldType, MULTI_FIELDS, parameterValue } from './field-type.ts'
import { doubleOfText, notNumeric, tokenName } from './number-value.ts'
import { booleanParameter, differentValues } from './parameter.ts'

/** Smallest positive float with all its bits. */
const MIN_NORMAL = 2 ** -126

/** A number that makes a document better (or worse): for `rank_feature` queries alone. */
export const RANK_FEATURE: FieldType = {
  name: 'rank_feature',
  family: 'rank_feature',
  isSince7: true,
  parameters: [
    booleanParameter('positive_score_impact', true, { conflict: differentValues('positive_score_impact') }),
    MULTI_FIELDS,
  ],
  build: (scope) => {
    const field = featureField(RANK_FEATURE, scope)
    const parseAll = (value: unknown): readonly Uint8Array[] => {
      const values = (Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]).filter((v) => v !== null)
      return values.map((one, i) =>
        MemberError.in(one, () => {
          const number = readFloat(one)
          if (i > 0) {
            throw illegalArgument(
              `[rank_feature] fields do not support indexing multiple values for the same field [${scope.path}] in the same document`,
            )
          }
          const feature = field.positiveScoreImpact ? number : Math.fround(1 / number)
          return encode(storedFeature(feature, scope.path, '_feature'))
        }),
      )
    }
    return { field, parseAll, parse: (value) => parseAll(value)[0] }
  },
}

/** Numbers by name, each as a {@link RANK_FEATURE} is. */
export const RANK_FEATURES: FieldType = {
  name: 'rank_features',
  family: 'rank_features',
  isSince7: true,
  parameters: [
    booleanParameter('positive_score_impact', true, {
      isOpenSearch: true,
      conflict: differentValues('positive_score_impact'),
    }),
    MULTI_FIELDS,
  ],
  build: (scope) => {
    const field = featureField(RANK_FEATURES, scope)
    const parse = (json: unknown): Uint8Array => {
      if (typeof json !== 'object' || json === null || json instanceof JsonNumber || Array.isArray(json)) {
        throw illegalArgument(
          `[rank_features] fields must be json objects, expected a START_OBJECT but got: ${plainToken(json)}`,
        )
      }
      const features: Record<string, number> = {}
      for (const [name, value] of Object.entries(json)) {
        if (value === null) continue
        if (typeof value === 'boolean' || (typeof value === 'object' && !(value instanceof JsonNumber))) {
          throw illegalArgument(
            `[rank_features] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${plainToken(value)}`,
          )
        }
        const number = readFloat(value)
        const feature = field.positiveScoreImpact ? number : Math.fround(1 / number)
        setOwn(features, name, storedFeature(feature, name, scope.path))
      }
      return encode(features)
    }
    return {
      field,
      bareErrors: true,
      parse,
      parseAll: (value) => {
        const objects = Array.isArray(value) ? value : [value]
        return objects.length > 1
          ? [
              encode(
                together(
                  objects.map((one) => decode(parse(one))),
                  scope.path,
                ),
              ),
            ]
          : objects.map(parse)
      },
    }
  },
}

/** Features of several objects. @throws {ServiceError} illegal_argument_exception for one that two of them have */
function together(objects: readonly unknown[], path: string): Record<string, number> {
  const all: Record<string, number> = {}
  for (const features of objects as readonly Record<string, number>[]) {
    for (const [name, feature] of Object.entries(features)) {
      if (Object.hasOwn(all, name)) {
        throw illegalArgument(
          `[rank_features] fields do not support indexing multiple values for the same rank feature [${path}.${name}] in the same document`,
        )
      }
      setOwn(all, name, feature)
    }
  }
  return all
}

function featureField(type: FieldType, scope: BuildScope): RankFeatureField {
  const positiveScoreImpact = parameterValue(type, scope.definition, 'positive_score_impact') !== false
  return {
    ...fieldBase(type, scope),
    kind: 'opaque',
    nullValue: undefined,
    type: type.name as 'rank_feature',
    positiveScoreImpact,
  }
}

function readFloat(value: unknown): number {
  if (typeof value === 'string') return Math.fround(doubleOfText(value))
  if (typeof value === 'number' || typeof value === 'bigint') return Math.fround(Number(value))
  if (value instanceof JsonNumber) return Math.fround(value.value)
  throw notNumeric(value)
}

/** A feature as it is kept: a float of nine bits (Lucene keeps it in the term's frequency). */
function storedFeature(value: number, feature: string, field: string): number {
  if (!Number.isFinite(value))
    throw illegalArgument(
      `featureValue must be finite, got: ${javaFloat(value)} for feature ${feature} on field ${field}`,
    )
  if (value < MIN_NORMAL) {
    throw illegalArgument(
      `featureValue must be a positive normal float, got: ${javaFloat(value)} for feature ${feature} on field ${field} which is less than the minimum positive normal float: 1.17549435E-38`,
    )
  }
  return featureOfFrequency(frequencyOfFeature(value))
}

const FLOAT = new Float32Array(1)
const BITS = new Int32Array(FLOAT.buffer)

/** The frequency that stands for a feature. */
export function frequencyOfFeature(value: number): number {
  FLOAT[0] = value
  return (BITS[0] as number) >>> 15
}

/** The feature that a frequency stands for. */
export function featureOfFrequency(frequency: number): number {
  BITS[0] = frequency << 15
  return FLOAT[0] as number
}

const encode = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const decode = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString())

const plainToken = (value: unknown): string =>
  tokenName(value)
    .replace(/_(INT|FLOAT)$/, '')
    .replace(/_(TRUE|FALSE)$/, '_BOOLEAN')
