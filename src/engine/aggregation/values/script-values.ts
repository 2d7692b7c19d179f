import type { EngineVersion } from '../../engine-version.ts'
import type { DocValues, SegmentReader } from '../../index/segment-reader.ts'
import { formatAddress } from '../../mapping/types/ip-address.ts'
import { ScriptDate } from '../../script/time/script-date.ts'
import { box } from '../../script/values/boxing.ts'
import { longOf } from '../../script/values/long-of.ts'
import { ScriptArray } from '../../script/values/script-array.ts'
import { ScriptCollection } from '../../script/values/script-collection.ts'
import { ScriptObject } from '../../script/values/script-object.ts'
import { Box, doubleBox, type ScriptValue, textOf } from '../../script/values/script-value.ts'
import { refuseSelfReferences } from '../../script/values/self-references.ts'
import { faultInQueryPhase, inQueryPhase } from '../../search/query-phase.ts'
import { columnReader } from '../../search/script/column-reader.ts'
import { compileIndexScript, type IndexScript, type LeafScript } from '../../search/script/index-script.ts'
import { numberResult, textResult } from '../../search/script/script-results.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { AggregationDefinition } from '../aggregation-tree.ts'
import { ComputedNumbers, ComputedStrings } from './computed-column.ts'
import type { ScratchColumns } from './scratch-columns.ts'
import { stringColumn } from './string-column.ts'
import type { StringColumn } from './string-terms.ts'
import {
  resolveScriptedSource,
  resolveValuesSource,
  type ValuesSource,
  type ValuesSourceConfig,
  type WantedValues,
} from './values-source.ts'

/** The values that a script gives the documents of one segment. */
export type SegmentValues = {
  readonly path: string
  /** Runs the script for a document, unless that was done. */
  compute(doc: number, score: number): void
} & (
  | { readonly kind: 'numeric'; column(): DocValues }
  | { readonly kind: 'string'; column(): StringColumn }
  | { readonly kind: 'none' }
)

/** A source of an aggregation whose values a script gives. */
export interface ComputedSource {
  readonly needsScores: boolean
  /** What the aggregation is to take its values from instead. */
  readonly config: ValuesSourceConfig
  open(scope: SegmentScope): SegmentValues
}

/** What an aggregation takes from a script. */
export interface Wanted {
  readonly values: WantedValues
  readonly hint: 'date' | undefined
  /** Whether numbers of whole fields are given to scripts as such, and not as doubles. */
  readonly longs: boolean
  /** 6.8 counts the texts of values, whatever they are. */
  readonly texts: boolean
  readonly keepsDuplicates: boolean
}

const NUMERIC = new Set<AggregationDefinition['kind']>([
  'stats',
  'histogram',
  'date_histogram',
  'range',
  'date_range',
  'percentiles',
  'median_absolute_deviation',
  'weighted_avg',
  'auto_date_histogram',
])
const LONGS = new Set<AggregationDefinition['kind']>(['date_histogram', 'auto_date_histogram'])

/** What an aggregation of a kind takes. */
export function wantedBy(kind: AggregationDefinition['kind'], is6: boolean): Wanted {
  const isDate = kind === 'date_histogram' || kind === 'date_range' || kind === 'auto_date_histogram'
  return {
    values: NUMERIC.has(kind) ? 'numeric' : kind.startsWith('geo') ? 'geo' : 'any',
    hint: isDate ? 'date' : undefined,
    longs: LONGS.has(kind),
    texts: is6 && kind === 'value_count',
    keepsDuplicates: kind === 'value_count' || kind === 'composite',
  }
}

/**
 * Opens a scripted source of an aggregation.
 *
 * @param kind  of the aggregation that takes its values
 * @param path  a name for its values that no field has
 * @throws {ServiceError} script_exception, and as for a field that does not suit the aggregation
 */
export function computedSource(
  config: ValuesSourceConfig,
  kind: AggregationDefinition['kind'],
  path: string,
  context: AggregationContext,
): ComputedSource {
  const { engineVersion, now } = context
  const wanted = wantedBy(kind, engineVersion === 'Elasticsearch_6.8')
  const { script, ...field } = config
  if (script === undefined) throw new Error('a source without a script')
  if (kind === 'significant_terms' && config.field === undefined) {
    throw faultInQueryPhase('null_pointer_exception', NO_FIELD)
  }
  const indices = context.searchers.map((searcher) => {
    const base =
      field.field === undefined
        ? resolveScriptedSource(field, { wanted: wanted.values, engineVersion, now, ...hintOf(wanted) })
        : resolveValuesSource(searcher, field, { wanted: wanted.values, engineVersion, now, ...hintOf(wanted) })
    if (base.kind === 'geo' || base.kind === 'range') {
      const type = base.kind === 'geo' ? 'GEOPOINT' : 'RANGE'
      throw faultInQueryPhase(
        'aggregation_execution_exception',
        `value source of type [${type}] is not supported by scripts`,
      )
    }
    const isUnmapped =
      field.field !== undefined && searcher.mapping.field(field.field) === undefined && !field.field.startsWith('_')
    return {
      base,
      made: madeSource(base, path, wanted, field.field !== undefined),
      compiled: isUnmapped
        ? undefined
        : compileIndexScript(script, 'aggs', { searcher, engineVersion, watch: context.watch }),
    }
  })
  const bySearcher = new Map(context.searchers.map((searcher, i) => [searcher.indexUuid, indices[i]?.made]))
  return {
    needsScores: indices.some(({ compiled }) => compiled?.readsScore === true),
    config: { ...field, computed: ({ indexUuid }) => bySearcher.get(indexUuid) as ValuesSource },
    open: (scope) => {
      const { base, made, compiled } = indices[scope.searcherOrdinal] as (typeof indices)[number]
      if (compiled === undefined || made.kind === 'unmapped') return { kind: 'none', path, compute: () => {} }
      return openSegment(
        { base, made, compiled, path, wanted, hasField: field.field !== undefined, engineVersion },
        scope,
        context.scratch,
      )
    },
  }
}

const NO_FIELD =
  'Cannot invoke "org.elasticsearch.search.aggregations.support.FieldContext.fieldType()" because the return value of "org.elasticsearch.search.aggregations.support.ValuesSourceConfig.fieldContext()" is null'

function hintOf({ hint }: Wanted): { readonly hint?: 'date' } {
  return hint === undefined ? {} : { hint }
}

/** What the values of a source are once a script has had them. */
function madeSource(base: ValuesSource, path: string, { texts, longs }: Wanted, hasField: boolean): ValuesSource {
  switch (base.kind) {
    case 'numeric':
      return texts
        ? {
            kind: 'string',
            path,
            isIp: false,
            missing: base.missing === undefined ? undefined : Buffer.from(String(base.missing)),
          }
        : // A script may make fractions of whole numbers.
          { ...base, path, isFloating: hasField ? !longs : base.isFloating }
    case 'string':
      // What scripts make of addresses are texts.
      return { ...base, path, isIp: false }
    default:
      return base
  }
}

interface OpenSource {
  readonly base: ValuesSource
  readonly made: ValuesSource
  readonly compiled: IndexScript
  readonly path: string
  readonly wanted: Wanted
  readonly hasField: boolean
  readonly engineVersion: EngineVersion
}

function openSegment(source: OpenSource, scope: SegmentScope, scratch: ScratchColumns): SegmentValues {
  const { made, compiled, path, wanted } = source
  const script = compiled.open(unwrapped(scope.reader))
  const { maxDoc } = scope.reader
  const inputs = source.hasField ? fieldValues(source, scope) : undefined
  if (made.kind === 'numeric') {
    const column = new ComputedNumbers(maxDoc, scratch)
    const whole = !made.isFloating
    return {
      kind: 'numeric',
      path,
      column: () => column.column(),
      compute(doc, score) {
        if (column.has(doc)) return
        if (inputs !== undefined) {
          column.add(
            doc,
            inputs(doc).map((value) => asNumber(result(script, doc, score, value), whole)),
          )
          return
        }
        const given = script.runNumber(doc, { score }) as ScriptValue
        const number = numberOf(given)
        if (number === undefined) column.add(doc, numbersOf(given, whole))
        else column.addOne(doc, whole ? (typeof number === 'bigint' ? number : Math.trunc(number)) : Number(number))
      },
    }
  }
  const column = new ComputedStrings(maxDoc, wanted.keepsDuplicates, scratch)
  const where = source.hasField ? 'ValuesSource.BytesValues script' : 'ScriptBytesValues value'
  const checked = (value: ScriptValue): ScriptValue => {
    if (value instanceof ScriptObject) inQueryPhase(() => refuseSelfReferences(value, where, source.engineVersion))
    return value
  }
  return {
    kind: 'string',
    path,
    column: () => column.column(),
    compute(doc, score) {
      if (column.has(doc)) return
      if (inputs !== undefined) {
        column.add(
          doc,
          inputs(doc).map((value) => textResult(checked(result(script, doc, score, value)))),
        )
        return
      }
      const given = checked(script.run(doc, { score }) as ScriptValue)
      if (given === null || given instanceof ScriptObject) column.add(doc, textsOf(given))
      else column.addOne(doc, textOf(given))
    },
  }
}

function result(script: LeafScript, doc: number, score: number, value: ScriptValue): ScriptValue {
  return script.run(doc, { score, value }) as ScriptValue
}

/** Scripts read the documents of the index, whatever was computed about them. */
export function unwrapped(reader: SegmentReader): SegmentReader {
  return 'base' in reader ? unwrapped(reader.base as SegmentReader) : reader
}

function asNumber(value: ScriptValue, whole: boolean): number | bigint {
  const number = numberResult(value)
  if (!whole) return Number(number)
  return typeof number === 'bigint' ? number : Math.trunc(number)
}

/** The values of a document in a field, as scripts see them. */
function fieldValues({ base, wanted }: OpenSource, scope: SegmentScope): (doc: number) => readonly ScriptValue[] {
  if (base.kind === 'numeric') {
    const column = scope.reader.field(base.path)?.docValues
    if (column === undefined || column.kind === 'binary') return () => []
    const { values } = column
    const asText = wanted.texts
    const asLong = wanted.longs && !base.isFloating
    return columnReader(column, (at) => {
      const value = values[at] as number | bigint
      if (asText) return base.isFloating ? textOf(doubleBox(Number(value))) : String(value)
      return asLong ? longOf(value) : doubleBox(Number(value))
    })
  }
  if (base.kind !== 'string') return () => []
  const column = stringColumn(scope, base.path)
  if (column === undefined) return () => []
  const { values, terms } = column
  return columnReader(column, (at) => {
    const ordinal = values[at] as number
    return base.isIp ? formatAddress(terms.term(ordinal)) : terms.termText(ordinal)
  })
}

/** All that a script's result holds: itself, or the members of a list or an array. */
function membersOf(value: ScriptValue): ScriptValue[] {
  if (value instanceof ScriptArray) return value.items.map((item) => box(value.element, item))
  return value instanceof ScriptCollection ? [...value.values()] : [value]
}

/** A script's result as numbers. @throws {ServiceError} aggregation_execution_exception for what is none */
export function numbersOf(value: ScriptValue, whole: boolean, refusesNull = false): (number | bigint)[] {
  if (value === null && !refusesNull) return []
  return membersOf(value).map((member) => {
    const number = numberOf(member)
    if (number === undefined) {
      throw faultInQueryPhase(
        'aggregation_execution_exception',
        `Unsupported script value [${textOf(member)}], expected a number, date, or boolean`,
      )
    }
    if (!whole) return Number(number)
    return typeof number === 'bigint' ? number : Math.trunc(number)
  })
}

function numberOf(value: ScriptValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Box) return value.kind === 'char' ? undefined : value.value
  return value instanceof ScriptDate ? value.millis : undefined
}

/** A script's result as texts. */
function textsOf(value: ScriptValue): string[] {
  return value === null ? [] : membersOf(value).map(textOf)
}
