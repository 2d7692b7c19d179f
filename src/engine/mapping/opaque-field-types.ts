import { ServiceError } from '../../errors.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { javaDouble } from '../java-number-text.ts'
import { illegalArgument, mapperParsing } from './caused-error.ts'
import { analyzerParameter, commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { cutInput } from './completion-forms.ts'
import type { CompletionField, NumberField, OpaqueField, TextField } from './field-mapping.ts'
import { type BuildScope, type BuiltField, type FieldType, MULTI_FIELDS, parameterValue } from './field-type.ts'
import { JsonNumber } from './lossless-json.ts'
import { tokenName } from './number-value.ts'
import { booleanParameter, differentValues, readInteger } from './parameter.ts'
import { subFieldAnalyzer, subFieldName } from './text-sub-field.ts'

function opaqueField(type: FieldType, scope: BuildScope): OpaqueField {
  return { ...fieldBase(type, scope), kind: 'opaque', type: type.name }
}

/** A value handed on as JSON in UTF-8, for the feature that reads it. */
function jsonBytes(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member instanceof JsonNumber ? member.value : member,
  )
  return Buffer.from(text)
}

/** Counts a text's tokens. */
export const TOKEN_COUNT: FieldType = {
  name: 'token_count',
  family: 'token_count',
  parameters: [
    ...commonParameters({ docValues: true }),
    { ...analyzerParameter('analyzer'), conflict: () => [] },
    booleanParameter('enable_position_increments', true),
    { name: 'null_value', fallback: undefined, read: () => undefined },
  ],
  check: (parameters, { name }) => {
    if (!parameters.has('analyzer')) throw mapperParsing(`Analyzer must be set for field [${name}] but wasn't.`)
  },
  build: (scope) => {
    const analyzer = scope.analyzers.analyzer(String(scope.definition.parameters.get('analyzer'))) as Analyzer
    const countsGaps = parameterValue(TOKEN_COUNT, scope.definition, 'enable_position_increments') as boolean
    const field: NumberField = {
      ...fieldBase(TOKEN_COUNT, scope),
      kind: 'number',
      type: 'integer',
      coerce: true,
      ignoreMalformed: false,
      scalingFactor: undefined,
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

/** Suggestions as one types; the suggester reads its values, as JSON. */
export const COMPLETION: FieldType = {
  name: 'completion',
  family: 'completion',
  shownDefaults: {
    analyzer: 'simple',
    preserve_separators: true,
    preserve_position_increments: true,
    max_input_length: 50,
  },
  parameters: [
    analyzerParameter('analyzer'),
    analyzerParameter('search_analyzer'),
    booleanParameter('preserve_separators', true, { conflict: differentValues('preserve_separators') }),
    booleanParameter('preserve_position_increments', true, {
      conflict: differentValues('preserve_position_increments'),
    }),
    {
      name: 'max_input_length',
      fallback: 50,
      read: (value) => {
        const length = readInteger(value)
        if (length <= 0) throw illegalArgument(`[max_input_length] must be > 0 but was [${length}]`)
        return length
      },
    },
    { name: 'contexts', fallback: undefined, read: readContexts },
    MULTI_FIELDS,
  ],
  build: (scope) => ({
    ...completionFields(scope),
    bareErrors: true,
    parse: (value) => {
      if (typeof value !== 'string' && (typeof value !== 'object' || value instanceof JsonNumber)) {
        const token = tokenName(value)
          .replace(/_(INT|FLOAT)$/, '')
          .replace(/_(TRUE|FALSE)$/, '_BOOLEAN')
        throw new ServiceError(
          'parsing_exception',
          `failed to parse [${scope.path}]: expected text or object, but got ${token}`,
        )
      }
      checkCompletion(value)
      checkContexts(value, scope)
      return jsonBytes(value)
    },
  }),
}

/** The field, and what its inputs are found by. */
function completionFields(
  scope: BuildScope,
): Pick<BuiltField, 'subFields' | 'parseForSubFields'> & { readonly field: CompletionField } {
  const value = (name: string): unknown => parameterValue(COMPLETION, scope.definition, name)
  const analyzer = (name: unknown): Analyzer => scope.analyzers.analyzer(String(name ?? 'simple')) as Analyzer
  const indexed = analyzer(value('analyzer'))
  const subField = {
    kind: 'completion' as const,
    preserveSeparators: value('preserve_separators') as boolean,
    preservePositionIncrements: value('preserve_position_increments') as boolean,
  }
  const words: TextField = {
    kind: 'text',
    path: `${scope.path}.${subFieldName(subField)}`,
    index: true,
    docValues: false,
    store: false,
    nestedPath: scope.nestedPath,
    boost: 1,
    copyTo: [],
    nullValue: undefined,
    analyzer: subFieldAnalyzer(indexed, subField),
    searchAnalyzer: subFieldAnalyzer(analyzer(value('search_analyzer') ?? value('analyzer')), subField),
    // Phrases are taken apart as texts are.
    searchQuoteAnalyzer: indexed,
    norms: true,
    indexOptions: 'positions',
    positionIncrementGap: 0,
    fielddata: false,
    similarity: 'BM25',
    termVector: 'no',
    subField,
  }
  const maxLength = value('max_input_length') as number
  return {
    field: { ...fieldBase(COMPLETION, scope), kind: 'opaque', type: 'completion', words },
    subFields: [words],
    parseForSubFields: (given) => inputsOf(given).map((input) => cutInput(input, maxLength)),
  }
}

/** The inputs of a suggestion, or of several. */
function inputsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(inputsOf)
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return inputsOf((value as Readonly<Record<string, unknown>>)['input'])
}

/** Checks a suggestion's inputs and weight, each as the real server reads it. @throws {ServiceError} illegal_argument_exception */
function checkCompletion(value: unknown): void {
  for (const one of Array.isArray(value) ? value : [value]) {
    if (typeof one !== 'object' || one === null || one instanceof JsonNumber) continue
    for (const [key, member] of Object.entries(one)) {
      if (key === 'input') checkInput(member)
      else if (key === 'weight') checkWeight(member)
      else if (key !== 'contexts')
        throw illegalArgument(`unknown field name [${key}], must be one of [input, weight, contexts]`)
    }
  }
}

function checkInput(input: unknown): void {
  if (typeof input === 'string') return
  if (!Array.isArray(input))
    throw illegalArgument(`input must be a string or array, but was [${completionToken(input)}]`)
  const other = input.find((one) => typeof one !== 'string')
  if (other !== undefined) {
    throw illegalArgument(`input array must have string values, but was [${completionToken(other)}]`)
  }
}

function checkWeight(weight: unknown): void {
  const isNumber = typeof weight === 'number' || typeof weight === 'bigint' || weight instanceof JsonNumber
  if (!isNumber && typeof weight !== 'string')
    throw illegalArgument(`weight must be a number or string, but was [${completionToken(weight)}]`)
  const number = Number(weight instanceof JsonNumber ? weight.value : weight)
  const text = weight instanceof JsonNumber ? javaDouble(weight.value) : String(weight)
  const isWhole =
    typeof weight === 'string' ? /^[+-]?\d+$/.test(weight) : Number.isInteger(number) && !text.includes('.')
  if (!isWhole) throw illegalArgument(`weight must be an integer, but was [${text}]`)
  if (number < 0 || number > 2_147_483_647)
    throw illegalArgument(`weight must be in the interval [0..2147483647], but was [${number}]`)
}

function completionToken(value: unknown): string {
  return tokenName(value)
    .replace(/_(INT|FLOAT)$/, '')
    .replace(/_(TRUE|FALSE)$/, '_BOOLEAN')
}

/** From 7.0 on a suggestion of a field with contexts must have one, unless they come from elsewhere in the document. */
function checkContexts(value: unknown, scope: BuildScope): void {
  const contexts = scope.definition.parameters.get('contexts') as readonly Record<string, unknown>[] | undefined
  if (scope.engineVersion === 'Elasticsearch_6.8' || contexts === undefined || contexts.length === 0) return
  if (contexts.some(({ path }) => path !== undefined)) return
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['contexts'] : undefined
  if (typeof given === 'object' && given !== null && Object.keys(given).length > 0) return
  throw illegalArgument(`Contexts are mandatory in context enabled completion field [${scope.path}]`)
}

function readContexts(value: unknown): unknown {
  const list = Array.isArray(value) ? value : [value]
  return list.map((context: unknown) => {
    const { type, ...rest } = context as Record<string, unknown>
    if (typeof rest['name'] !== 'string')
      throw new ServiceError('parse_exception', 'name is missing in context mapping')
    const kind = String(type).toUpperCase()
    if (kind !== 'CATEGORY' && kind !== 'GEO') {
      throw new ServiceError('parse_exception', `unknown context type [${String(type)}]`)
    }
    return { name: rest['name'], type: kind, ...rest }
  })
}

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
      if (parsed.length > 1) throw illegalArgument('a document can only contain one percolator query')
      return parsed
    }
    return { field: opaqueField(PERCOLATOR, scope), bareErrors: true, parse, parseAll }
  },
}
