import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { NumberField, OpaqueField } from '../field-mapping.ts'
import { jsonBytes } from '../json-bytes.ts'
import { JsonNumber } from '../lossless-json.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { analyzerParameter, commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { type BuildScope, type FieldType, parameterValue } from './field-type.ts'
import { booleanParameter, readInteger } from './parameter.ts'

function opaqueField(type: FieldType, scope: BuildScope): OpaqueField {
  return { kind: 'opaque', type: type.name, nullValue: undefined, ...fieldBase(type, scope) }
}

/** Counts a text's tokens. */
export const TOKEN_COUNT: FieldType = {
  name: 'token_count',
  family: 'token_count',
  parameters: [
    ...commonParameters({ docValues: true }),
    {
      ...analyzerParameter('analyzer', (analyzer, field) =>
        mapperParsing(`Analyzer [${analyzer}] not found for field [${field}]`),
      ),
      conflict: () => [],
    },
    booleanParameter('enable_position_increments', true),
    {
      name: 'null_value',
      fallback: undefined,
      // 6.x takes it and makes nothing of it.
      read: (value, { engineVersion }) => (engineVersion === 'Elasticsearch_6.8' ? undefined : readInteger(value)),
    },
  ],
  check: (parameters, { name }) => {
    if (!parameters.has('analyzer')) throw mapperParsing(`Analyzer must be set for field [${name}] but wasn't.`)
  },
  build: (scope) => {
    const analyzer = scope.analyzers.analyzer(String(scope.definition.parameters.get('analyzer'))) as Analyzer
    const countsGaps = parameterValue(TOKEN_COUNT, scope.definition, 'enable_position_increments') as boolean
    const field: NumberField = {
      kind: 'number',
      nullValue: parameterValue(TOKEN_COUNT, scope.definition, 'null_value') as number | undefined,
      type: 'integer',
      countsTokens: true,
      coerce: true,
      ignoreMalformed: false,
      scalingFactor: undefined,
      ...fieldBase(TOKEN_COUNT, scope),
    }
    const parse = (value: unknown): number => {
      const tokens = analyzer.analyze(scalarText(value))
      let count = countsGaps ? tokens.trailingPositionIncrement : 0
      for (let i = 0; i < tokens.length; i++) {
        const increment = tokens.positionIncrements[i] as number
        count += countsGaps ? increment : Math.min(1, increment)
      }
      return count
    }
    return { field, parse }
  },
}

/** What is wrong with a second query of one field in one document. */
export const secondQuery = (): ServiceError => illegalArgument('a document can only contain one percolator query')

/** A stored query, as JSON; whoever writes documents checks that it can be run. */
export const PERCOLATOR: FieldType = {
  name: 'percolator',
  family: 'percolator',
  parameters: [],
  build: (scope) => {
    const parse = (value: unknown): Uint8Array => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
        throw new ServiceError('parsing_exception', '[_na] query malformed, must start with start_object')
      return jsonBytes(value)
    }
    const parseAll = (value: unknown): readonly Uint8Array[] => {
      const values = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]
      const parsed = values.map(parse)
      if (parsed.length > 1) throw secondQuery()
      return parsed
    }
    return { field: opaqueField(PERCOLATOR, scope), bareErrors: true, parse, parseAll }
  },
}
