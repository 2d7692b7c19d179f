import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { parseAddress } from '../../mapping/types/ip-address.ts'
import { type ScriptValue, textOf } from '../../script/values/script-value.ts'
import { derivedValues } from '../../search/derived/derived-values.ts'
import { faultInQueryPhase, illegalInQueryPhase, inQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { AggregationDefinition } from '../aggregation-tree.ts'
import { ComputedNumbers, ComputedStrings } from './computed-column.ts'
import { type ComputedSource, numbersOf, type SegmentValues, unwrapped, wantedBy } from './script-values.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from './values-source.ts'

/** The derived field that an aggregation's values are of in some index. */
export function derivedIn(
  { field }: ValuesSourceConfig,
  searchers: readonly IndexSearcher[],
): FieldMapping | undefined {
  if (field === undefined) return undefined
  const one = searchers.find(({ mapping }) => mapping.hasDerived && mapping.field(field)?.derived !== undefined)
  const found = one?.mapping.field(field)
  return found?.derived?.isOff ? undefined : found
}

/**
 * Opens a source whose values are computed: what the field's script emits, in place of what a script of the aggregation's own would
 * make of it. Indices where it is a field like others are asked as ever.
 *
 * @param kind  of the aggregation that takes its values
 * @param path  a name for its values that no field has
 * @param name  what requests call the aggregation
 * @throws {ServiceError} as for a field that does not suit the aggregation
 */
export function derivedSource(
  config: ValuesSourceConfig,
  kind: AggregationDefinition['kind'],
  path: string,
  context: AggregationContext,
  name: string = kind,
): ComputedSource {
  const { engineVersion, now } = context
  const { values, longs, keepsDuplicates, hint } = wantedBy(kind, false)
  const { script: _, ...plain } = config
  const field = config.field as string
  const indices = context.searchers.map((searcher) => {
    const mapped = searcher.mapping.field(field)
    const isDerived = mapped?.derived !== undefined
    if (isDerived) checkWanted(mapped, values, name)
    const options = { wanted: values, engineVersion, now, ...(hint === undefined ? {} : { hint }) }
    const base = resolveValuesSource(searcher, plain, options)
    return { mapped: isDerived ? mapped : undefined, made: isDerived ? madeSource(base, path, longs) : base }
  })
  const bySearcher = new Map(context.searchers.map((searcher, i) => [searcher.indexUuid, indices[i]?.made]))
  return {
    needsScores: false,
    config: { ...plain, computed: ({ indexUuid }) => bySearcher.get(indexUuid) as ValuesSource },
    open: (scope) => {
      const { mapped, made } = indices[scope.searcherOrdinal] as (typeof indices)[number]
      if (mapped === undefined) return { kind: 'none', path, compute: () => {} }
      return openSegment(mapped, made, path, keepsDuplicates, scope, context)
    },
  }
}

/** @throws {ServiceError} for values that the aggregation has no use for */
function checkWanted(field: FieldMapping, values: string, kind: string): void {
  if (kind === 'significant_terms')
    throw illegalInQueryPhase(
      `SignificantText aggregation requires fields to be searchable, but [${field.path}] is not`,
    )
  if (field.kind === 'geo_point')
    throw faultInQueryPhase(
      'aggregation_execution_exception',
      'value source of type [geopoint] is not supported by scripts',
    )
  const isNumeric = field.kind === 'number' || field.kind === 'date' || field.kind === 'boolean'
  if (values === 'geo' || (values === 'numeric' && !isNumeric))
    throw illegalInQueryPhase(`Script yielding [unknown type] is not supported for aggregation [${kind}]`)
}

/** Numbers come as scripts give them, whatever the field's type: as doubles. */
function madeSource(base: ValuesSource, path: string, longs: boolean): ValuesSource {
  if (base.kind === 'numeric') return { ...base, path, isFloating: !longs }
  return base.kind === 'string' ? { ...base, path } : base
}

function openSegment(
  field: FieldMapping,
  made: ValuesSource,
  path: string,
  keepsDuplicates: boolean,
  scope: SegmentScope,
  context: AggregationContext,
): SegmentValues {
  const read = derivedValues(field, scope.searcher, context.watch).open(unwrapped(scope.reader))
  const { maxDoc } = scope.reader
  if (made.kind === 'numeric') {
    const column = new ComputedNumbers(maxDoc, context.scratch)
    const whole = !made.isFloating
    return {
      kind: 'numeric',
      path,
      column: () => column.column(),
      compute(doc) {
        if (column.has(doc)) return
        column.add(
          doc,
          read(doc).flatMap((value) => numbersOf(inMillis(field, value), whole, true)),
        )
      },
    }
  }
  const isIp = field.kind === 'ip'
  const column = new ComputedStrings(maxDoc, keepsDuplicates, context.scratch, isIp ? parseAddress : undefined)
  return {
    kind: 'string',
    path,
    column: () => column.column(),
    compute(doc) {
      if (column.has(doc)) return
      const texts = read(doc).map((value) => (value === null ? '' : textOf(value)))
      // Told here of what is none, not once all columns are laid out.
      if (isIp) inQueryPhase(() => texts.forEach(parseAddress))
      column.add(doc, texts)
    },
  }
}

/** Members of objects may have their dates as texts. @throws {ServiceError} illegal_argument_exception */
function inMillis(field: FieldMapping, value: ScriptValue): ScriptValue {
  if (field.kind !== 'date' || field.derived?.part === undefined || typeof value !== 'string') return value
  return inQueryPhase(() => BigInt(field.format.parse(value)))
}
