import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { isObject } from '../../../is-object.ts'
import { setOwn } from '../../../set-own.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { writeBigJson } from '../../big-json.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { inJavaHashOrder, javaHash } from '../../java/java-hash-order.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { CompletionField, TextField } from '../field-mapping.ts'
import { decodeGeoPoint } from '../geo/geo-point-value.ts'
import { encodeGeohash } from '../geo/geohash.ts'
import { contextPrecision } from '../geo/geohash-precision.ts'
import { IndexingFault } from '../indexing-fault.ts'
import { failedJsonCast, javaText } from '../java-text.ts'
import { jsonBytes } from '../json-bytes.ts'
import { JsonNumber } from '../lossless-json.ts'
import type { LeafDefinition } from '../mapping-definition.ts'
import { mapperParsing, unsupportedParameters } from '../mapping-errors.ts'
import type { IndexedValue, ParsedField } from '../parsed-document.ts'
import { analyzerParameter, fieldBase } from './common-parameters.ts'
import { cutInput, isBlankInput, WITH_ALL_CONTEXTS } from './completion-forms.ts'
import { type ContextForm, contextToken, contextValues } from './context-values.ts'
import { type BuildScope, type BuiltField, type FieldType, MULTI_FIELDS, parameterValue } from './field-type.ts'
import { booleanParameter, differentValues, readInteger } from './parameter.ts'
import { subFieldAnalyzer, subFieldName } from './text-sub-field.ts'

const unknownAnalyzer = (analyzer: string): ServiceError =>
  illegalArgument(`Can't find default or mapped analyzer with name [${analyzer}]`)

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
    analyzerParameter('analyzer', unknownAnalyzer),
    analyzerParameter('search_analyzer', unknownAnalyzer),
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
    {
      name: 'contexts',
      fallback: undefined,
      read: readContexts,
      conflict: (from, to, path) =>
        writeBigJson(from) === writeBigJson(to) ? [] : differentValues('context_mappings')(from, to, path),
      shown: (value, version) => shownContexts(value as readonly ContextDefinition[], version),
    },
    MULTI_FIELDS,
  ],
  check: (parameters, { name, engineVersion }) => {
    if (engineVersion === 'Elasticsearch_6.8' && parameters.has('search_analyzer') && !parameters.has('analyzer'))
      throw mapperParsing(`analyzer on completion field [${name}] must be set when search_analyzer is set`)
    // Not shown where it is the other's equal.
    if (parameters.get('search_analyzer') === (parameters.get('analyzer') ?? 'simple'))
      parameters.delete('search_analyzer')
  },
  build: (scope) => {
    const parseAll = (value: unknown, onIgnored: () => void): readonly Uint8Array[] => {
      if (value === null) return []
      const suggestions: readonly unknown[] = Array.isArray(value) ? value : [value]
      for (const one of suggestions) {
        const name = Array.isArray(value) ? 'null' : scope.path.slice(scope.path.lastIndexOf('.') + 1)
        checkSuggestion(one, name, scope)
      }
      const inputs = suggestions.flatMap(inputsOf)
      if (inputs.some(isBlankInput)) onIgnored()
      // An empty list, too: it makes the field exist.
      return [jsonBytes(value)]
    }
    return {
      ...completionFields(scope),
      bareErrors: true,
      parse: (value) => parseAll(value, () => {})[0],
      parseAll,
      ...(contextsOf(scope).length === 0 ? {} : { complete: (value, fields) => withContexts(value, fields, scope) }),
      forMultiFields,
      notesIgnored: true,
    }
  },
}

/** The field, and what its inputs are found by. */
function completionFields(
  scope: BuildScope,
): Pick<BuiltField, 'subFields' | 'parseForSubFields'> & { readonly field: CompletionField } {
  const value = (name: string): unknown => parameterValue(COMPLETION, scope.definition, name)
  const analyzer = (name: unknown): Analyzer => scope.analyzers.analyzer(String(name ?? 'simple')) as Analyzer
  const indexed = analyzer(value('analyzer'))
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  const subField = {
    kind: 'completion' as const,
    preserveSeparators: value('preserve_separators') as boolean,
    preservePositionIncrements: value('preserve_position_increments') as boolean,
  }
  const searchAnalyzer = subFieldAnalyzer(analyzer(value('search_analyzer') ?? value('analyzer')), subField)
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
    searchAnalyzer,
    // 6.x takes phrases apart as texts are, later versions look for them as for inputs.
    searchQuoteAnalyzer: isLegacy ? indexed : searchAnalyzer,
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
    field: { kind: 'opaque', type: 'completion', nullValue: undefined, words, ...fieldBase(COMPLETION, scope) },
    subFields: [words],
    // Where there are contexts, the words stand behind them: none is found alone.
    parseForSubFields: (given) =>
      contextsOf(scope).length > 0
        ? []
        : inputsOf(given)
            .filter((input) => !isBlankInput(input))
            .map((input) => cutInput(input, maxLength)),
  }
}

/** The inputs of a suggestion. */
function inputsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const { input } = value as { readonly input?: string | string[] }
  return input === undefined ? [] : Array.isArray(input) ? input : [input]
}

/** What a completion's multi-fields get: every input as a suggestion of its own, the heaviest of equal ones. */
function forMultiFields(value: unknown, type: string): readonly unknown[] {
  const found = new Map<string, { readonly weight?: unknown; readonly input: string }>()
  for (const one of Array.isArray(value) ? value : [value]) {
    const suggestion = typeof one === 'object' ? (one as Readonly<Record<string, unknown>>) : {}
    for (const input of inputsOf(one)) {
      const other = found.get(input)
      if (other === undefined || weightOf(other) < weightOf(suggestion)) found.set(input, { ...suggestion, input })
    }
  }
  return inJavaHashOrder([...found.keys()]).map((input) => (type === 'completion' ? found.get(input) : input))
}

const weightOf = ({ weight }: { readonly weight?: unknown }): number => (weight === undefined ? 1 : Number(weight))

/** Checks a suggestion's inputs and weight, each as the real server reads it. @throws {ServiceError} illegal_argument_exception, parsing_exception */
function checkSuggestion(value: unknown, name: string, scope: BuildScope): void {
  if (typeof value === 'string') return
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber) {
    throw new ServiceError(
      'parsing_exception',
      `failed to parse [${name}]: expected text or object, but got ${contextToken(value)}`,
    )
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === 'input') checkInput(member)
    else if (key === 'weight') checkWeight(member)
    else if (key === 'contexts') checkContexts(member, scope)
    else throw illegalArgument(`unknown field name [${key}], must be one of [input, weight, contexts]`)
  }
}

function checkInput(input: unknown): void {
  if (typeof input === 'string') return
  if (!Array.isArray(input)) throw illegalArgument(`input must be a string or array, but was [${contextToken(input)}]`)
  const other = input.find((one) => typeof one !== 'string')
  if (other !== undefined) {
    throw illegalArgument(`input array must have string values, but was [${contextToken(other)}]`)
  }
}

function checkWeight(weight: unknown): void {
  const isNumber = typeof weight === 'number' || typeof weight === 'bigint' || weight instanceof JsonNumber
  if (!isNumber && typeof weight !== 'string')
    throw illegalArgument(`weight must be a number or string, but was [${contextToken(weight)}]`)
  const number = Number(weight instanceof JsonNumber ? weight.value : weight)
  const text = weight instanceof JsonNumber ? javaDouble(weight.value) : String(weight)
  const isWhole =
    typeof weight === 'string' ? /^[+-]?\d+$/.test(weight) : Number.isInteger(number) && !text.includes('.')
  if (!isWhole) throw illegalArgument(`weight must be an integer, but was [${text}]`)
  if (number < 0 || number > 2_147_483_647)
    throw illegalArgument(`weight must be in the interval [0..2147483647], but was [${number}]`)
}

/** A context as {@link readContext} makes it. */
interface ContextDefinition {
  readonly name: string
  readonly type: 'CATEGORY' | 'GEO'
  readonly precision?: number
  readonly path?: string
}

const contextsOf = ({ definition }: BuildScope): readonly ContextDefinition[] => completionContexts(definition)

/** The contexts of a completion field; none of a field of another type. */
export function completionContexts({ parameters }: LeafDefinition): readonly ContextDefinition[] {
  return (parameters.get('contexts') as readonly ContextDefinition[] | undefined) ?? []
}

/** Checks the contexts that a suggestion names. @throws {ServiceError} illegal_argument_exception, parse_exception */
function checkContexts(given: unknown, scope: BuildScope): void {
  const contexts = contextsOf(scope)
  if (contexts.length === 0) throw illegalArgument(`contexts field is not supported for field: [${scope.path}]`)
  if (!isObject(given))
    throw illegalArgument(`contexts must be an object or an array , but was [${contextToken(given)}]`)
  for (const [name, value] of Object.entries(given)) {
    const context = contexts.find((one) => one.name === name)
    if (context === undefined) {
      const names = contexts.map((one) => one.name).join(', ')
      throw illegalArgument(`Unknown context name [${name}], must be one of [${names}]`)
    }
    contextValues(value, contextForm(context), scope.engineVersion)
  }
}

const contextForm = ({ type, precision = 0 }: ContextDefinition): ContextForm => ({
  type: type === 'GEO' ? 'geo' : 'category',
  precision,
})

/**
 * Suggestions of a document with the contexts that other fields of it give. From 7.0 on each must have one.
 *
 * @throws {IndexingFault}
 */
function withContexts(value: IndexedValue, fields: readonly ParsedField[], scope: BuildScope): IndexedValue {
  const given: unknown = JSON.parse(Buffer.from(value as Uint8Array).toString())
  const suggestions: readonly unknown[] = Array.isArray(given) ? given : [given]
  const isBlank = (one: unknown): boolean => inputsOf(one).every(isBlankInput)
  if (suggestions.every(isBlank)) return value
  const found = new Map<string, FoundContext>()
  for (const context of contextsOf(scope)) {
    const { name, path } = context
    if (path === undefined || found.has(name)) continue
    found.set(name, { form: contextForm(context), values: contextsIn(fields, context, path, scope) })
  }
  const whole = suggestions.map((one) => (isBlank(one) ? one : withFound(one, found, scope)))
  return found.size === 0 ? value : jsonBytes(Array.isArray(given) ? whole : whole[0])
}

interface FoundContext {
  readonly form: ContextForm
  readonly values: readonly string[]
}

/** A suggestion whose contexts are those that it names and those found elsewhere. @throws {IndexingFault} */
function withFound(one: unknown, found: ReadonlyMap<string, FoundContext>, scope: BuildScope): unknown {
  const suggestion = isObject(one) ? one : { input: one }
  const named = isObject(suggestion['contexts']) ? suggestion['contexts'] : {}
  const contexts: Record<string, unknown> = { ...named }
  for (const [name, { form, values }] of found) {
    const own = !Object.hasOwn(named, name) ? [] : contextValues(named[name], form, scope.engineVersion)
    setOwn(contexts, name, [...own, ...values])
  }
  const isEmpty = Object.values(contexts).every((values) => Array.isArray(values) && values.length === 0)
  if (isEmpty && scope.engineVersion !== 'Elasticsearch_6.8')
    throw new IndexingFault(`Contexts are mandatory in context enabled completion field [${scope.path}]`)
  return { ...suggestion, contexts, [WITH_ALL_CONTEXTS]: true }
}

/** The contexts that a field of the document gives. @throws {IndexingFault} */
function contextsIn(
  fields: readonly ParsedField[],
  { type, precision = 0 }: ContextDefinition,
  path: string,
  { engineVersion }: BuildScope,
): string[] {
  const values = fields.filter(({ field }) => field.path === path)
  if (type === 'CATEGORY') return [...new Set(values.flatMap((one) => categoriesOf(one, engineVersion)))]
  const points = values.filter(({ field }) => field.kind === 'geo_point')
  const geohashes = points.map(({ value }) => {
    const { lat, lon } = decodeGeoPoint(value as Uint8Array)
    return encodeGeohash(lat, lon, precision)
  })
  return [...new Set(geohashes)]
}

/** What a Lucene document keeps of a value, as far as categories are read from it. @throws {IndexingFault} */
function categoriesOf({ field, value }: ParsedField, engineVersion: EngineVersion): string[] {
  const isIndexed = 'index' in field && field.index
  if (field.kind === 'text' || field.kind === 'keyword') return isIndexed || field.store ? [String(value)] : []
  if (engineVersion !== 'Elasticsearch_6.8') {
    if (field.kind === 'boolean' && isIndexed) return [value === 0 ? 'F' : 'T']
    // Columns of numbers are taken for texts, points are not.
    if (!isIndexed && field.docValues && typeof value !== 'object') return [String(value)]
  }
  if (!isIndexed && !field.docValues) return []
  throw new IndexingFault(`Failed to parse context field [${field.path}], only keyword and text fields are accepted`)
}

/** Contexts as Java shows objects that say nothing of themselves: by their class and hash. */
function shownContexts(contexts: readonly ContextDefinition[], engineVersion: EngineVersion): string {
  const product = engineVersion === 'OpenSearch_2.19' ? 'opensearch' : 'elasticsearch'
  const shownOne = (context: ContextDefinition): string => {
    const kind = context.type === 'GEO' ? 'Geo' : 'Category'
    const hash = (javaHash(writeBigJson(context)) >>> 0).toString(16)
    return `org.${product}.search.suggest.completion.context.${kind}ContextMapping@${hash}`
  }
  return `[${contexts.map(shownOne).join(',')}]`
}

function readContexts(value: unknown): unknown {
  if (!Array.isArray(value)) {
    if (isObject(value)) return [readContext(value)]
    throw new ServiceError('parse_exception', 'expected a list or an entry of context mapping')
  }
  if (value.length === 0) throw new ServiceError('parse_exception', 'expected at least one context mapping')
  return value.map(readContext)
}

function readContext(given: unknown): unknown {
  if (given === null)
    throw new ServiceError(
      'null_pointer_exception',
      'Cannot invoke "java.util.Map.get(Object)" because "contextConfig" is null',
    )
  if (!isObject(given)) throw failedJsonCast(given, 'java.util.Map')
  const context = given as Readonly<Record<string, unknown>>
  const required = (key: string): string => {
    if (context[key] === undefined || context[key] === null)
      throw new ServiceError('parse_exception', `missing [${key}] in context mapping`)
    return javaText(context[key])
  }
  const name = required('name')
  const type = required('type')
  const kind = type.toUpperCase()
  if (kind !== 'CATEGORY' && kind !== 'GEO') throw illegalArgument(`No context type for [${type}]`)
  const { precision, path } = context
  const reads = (key: string): boolean => key === 'path' || (key === 'precision' && kind === 'GEO')
  const rest = Object.keys(context).filter((key) => key !== 'name' && key !== 'type')
  const made = {
    name,
    type: kind,
    ...(kind === 'GEO' ? { precision: contextPrecision(precision ?? undefined) } : {}),
    ...(path === undefined || path === null ? {} : { path: javaText(path) }),
  }
  // What is null is as good as not known.
  const unknown = rest.filter((key) => !reads(key) || context[key] === null)
  if (unknown.length > 0) throw unsupportedParameters(name, context, unknown)
  return made
}
