import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { packageOf } from '../../engine-version.ts'
import { millisPath } from '../../index/derived-millis.ts'
import type { DocValues } from '../../index/segment-reader.ts'
import { objectText } from '../../java/java-class-text.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { parseDateMath } from '../../mapping/dates/date-math.ts'
import type { FieldMapping, GeoPointField } from '../../mapping/field-mapping.ts'
import { parseGeoPoint } from '../../mapping/geo/geo-point-value.ts'
import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import { parseTimeMs } from '../../metadata/time-value.ts'
import { arcMeters } from '../earth-distance.ts'
import { noFieldData } from '../field-data.ts'
import { geoPointValues } from '../geo-point-values.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { FunctionScoreLuceneQuery, type LeafFunction, type WeightedFunction } from '../lucene/function-score-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { illegalInQueryPhase } from '../query-phase.ts'
import { scriptedKey } from '../script/script-mark.ts'
import { scriptDescription, scriptFunction } from '../script/script-score.ts'
import { scriptText } from '../script/search-script.ts'
import { fieldTypeClass, wrongFieldData } from '../sort/field-data-class.ts'
import type { CreateInner } from './boolean-queries.ts'
import { fieldOptions } from './field-options.ts'
import { isNoneAsked } from './no-terms.ts'
import type { FieldValueModifier, FunctionScoreQuery, ScoreFunction, ScoreFunctionClause } from './query.ts'
import { creating, failedToCreate, fieldOf, type QueryContext } from './query-context.ts'
import { randomDescription, randomFunction, seeded } from './random-score.ts'

/** The DSL's `function_score`. */
export function functionScoreQuery(query: FunctionScoreQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  const clauses = query.functions.map((clause) => (clause.filter?.kind === 'match_all' ? unfiltered(clause) : clause))
  const functions = clauses.map((clause) => {
    const made = clause.function?.kind === 'random' ? seeded(clause.function, context) : clause.function
    // Faults of functions come before those of what they are for.
    const opened = made === undefined ? undefined : openFunction(made, context)
    return {
      open: opened?.open,
      reckoning: opened?.reckoning,
      filter: clause.filter === undefined ? undefined : create(clause.filter, context),
      weight: clause.weight,
      description: made === undefined ? undefined : describeFunction(made, context.search.isLucene7),
      showsScore: made?.kind === 'script',
      javaClass: functionClass(clause, context),
      key:
        made?.kind === 'script'
          ? scriptedKey()
          : JSON.stringify(made ?? null, (_, v) => (typeof v === 'bigint' ? String(v) : v)),
    }
  })
  const inner = create(query.query, context)
  if (isNoneAsked(inner) && !context.search.isLucene7) return inner
  return new FunctionScoreLuceneQuery(inner, functions, {
    // One function that counts for all documents is there to be taken as it is, not to be made one with others.
    scoreMode: clauses.length === 1 && clauses[0]?.filter === undefined ? 'first' : query.scoreMode,
    boostMode: query.boostMode,
    maxBoost: Math.fround(query.maxBoost ?? 3.4028234663852886e38),
    minScore: query.minScore === undefined ? undefined : Math.fround(query.minScore),
  })
}

/** To the real servers a filter that takes all is none. */
function unfiltered({ filter: _, ...clause }: ScoreFunctionClause): ScoreFunctionClause {
  return clause
}

/** The class of what a function is wrapped in, a filter outermost, with what stands for the object's hash. */
function functionClass(clause: FunctionScoreQuery['functions'][number], context: QueryContext): string {
  const product = packageOf(context.search.engineVersion)
  const functions = `${product}.common.lucene.search.function`
  const { filter, weight, function: made } = clause
  if (filter !== undefined) return objectText(`${functions}.FunctionScoreQuery$FilterScoreFunction`)
  if (weight !== undefined || made === undefined) return objectText(`${functions}.WeightFactorFunction`)
  if (made.kind === 'script') return `script${scriptText(made.script)}`
  if (made.kind !== 'decay') return objectText(`${functions}.${FUNCTION_CLASSES[made.kind]}`)
  const values = fieldOf(made.field, context)?.kind === 'geo_point' ? 'Geo' : 'Numeric'
  return objectText(`${product}.index.query.functionscore.DecayFunctionBuilder$${values}FieldDataScoreFunction`)
}

const FUNCTION_CLASSES = {
  field_value_factor: 'FieldValueFactorFunction',
  random: 'RandomScoreFunction',
} as const

type OpenedFunction = Pick<WeightedFunction, 'open' | 'reckoning'>

function openFunction(made: ScoreFunction, context: QueryContext): OpenedFunction {
  switch (made.kind) {
    case 'field_value_factor':
      return { open: fieldValueFactor(made, context) }
    case 'decay':
      return decay(made, context)
    case 'script':
      return { open: scriptFunction(made.script, context) }
    case 'random':
      return { open: randomFunction(made, context) }
  }
}

/** What explanations say of a function. */
function describeFunction(made: ScoreFunction, isLucene7: boolean): string {
  if (made.kind === 'script') return scriptDescription(made.script, isLucene7)
  if (made.kind === 'random') return randomDescription(made)
  if (made.kind === 'decay') return `Function for field ${made.field}:`
  const { modifier, field, missing, factor } = made
  const otherwise = missing === undefined ? '' : `?:${javaDouble(missing)}`
  return `field value function: ${modifier}(doc['${field}'].value${otherwise} * factor=${javaFloat(factor)})`
}

function fieldValueFactor(
  made: ScoreFunction & { kind: 'field_value_factor' },
  context: QueryContext,
): (leaf: Leaf) => LeafFunction {
  const field = fieldOf(made.field, context)
  const { missing } = made
  if (field !== undefined || isBuiltInField(made.field, context.search.mapping)) {
    const wrong = wrongFieldData(
      field?.path ?? made.field,
      field,
      'IndexNumericFieldData',
      context.search.engineVersion,
    )
    if (wrong !== undefined) throw failedToCreate(context, wrong)
  }
  if (field === undefined && missing === undefined) {
    throw failedToCreate(
      context,
      new ServiceError(
        'exception',
        `Unable to find a field mapper for field [${made.field}]. No 'missing' value defined.`,
      ),
    )
  }
  const factor = Math.fround(made.factor)
  const modify = MODIFIERS[made.modifier]
  return (leaf) => {
    const read = field === undefined ? () => undefined : firstValue(leaf.segment.field(field.path)?.docValues)
    return (doc) => {
      const value = read(doc) ?? missing
      if (value === undefined) {
        throw new ServiceError('exception', `Missing value for field [${made.field}]`, {
          inQueryPhase: true,
          status: 400,
        })
      }
      const result = modify(value * factor)
      if (result < 0 && !context.search.isLucene7) {
        const { modifier } = made
        const isLog = modifier === 'ln' || modifier === 'log'
        const hint = isLog
          ? `; consider using ${modifier}1p or ${modifier}2p instead of ${modifier} to avoid negative scores`
          : ''
        const reason = `field value function must not produce negative scores, but got: [${javaDouble(result)}] for field value: [${javaDouble(value)}]${hint}`
        throw illegalInQueryPhase(reason)
      }
      return result
    }
  }
}

const MODIFIERS: Readonly<Record<FieldValueModifier, (value: number) => number>> = {
  none: (n) => n,
  log: (n) => Math.log10(n),
  log1p: (n) => Math.log10(n + 1),
  log2p: (n) => Math.log10(n + 2),
  ln: (n) => Math.log(n),
  ln1p: (n) => Math.log1p(n),
  ln2p: (n) => Math.log1p(n + 1),
  square: (n) => n * n,
  sqrt: (n) => Math.sqrt(n),
  reciprocal: (n) => 1 / n,
}

function decay(made: DecayFunction, context: QueryContext): OpenedFunction {
  const field = fieldOf(made.field, context)
  // The real servers keep the function as a text, and tell of its beginning.
  if (field === undefined && !isBuiltInField(made.field, context.search.mapping)) {
    throw new ServiceError('parsing_exception', `unknown field [${made.field}]`, {
      inQueryPhase: true,
      metadata: { line: 1, col: 0 },
    })
  }
  const isScaled = field?.kind === 'number' && field.type === 'scaled_float'
  if (isScaled || (field?.kind !== 'number' && field?.kind !== 'date' && field?.kind !== 'geo_point')) {
    const type = context.search.isLucene7
      ? fieldOptions(made.field, field)
      : fieldTypeClass(made.field, field, context.search.engineVersion)
    const reason = `field [${made.field}] is of type [${type}], but only numeric types are supported.`
    throw new ServiceError('parsing_exception', reason, { inQueryPhase: true, metadata: { line: 1, col: 1 } })
  }
  const { scale, distances, told } = creating(context, () => {
    if (made.unknown !== undefined)
      throw new ServiceError('parse_exception', `parameter [${made.unknown}] not supported!`)
    const measure =
      field.kind === 'geo_point' ? pointDistances(made, field, context) : numberDistances(made, field, context)
    checkDecay(measure, made)
    return measure
  })
  const shape = SHAPES[made.shape](scale, made.decay)
  const among = made.multiValueMode.toUpperCase() + (field.kind === 'geo_point' ? ' of: ' : '')
  return {
    open: (leaf) => {
      const read = distances(leaf)
      return (doc) => {
        const distance = read(doc)
        return distance === undefined ? 1 : shape.evaluate(distance)
      }
    },
    reckoning: (leaf, doc) => shape.told(`${among}[${told(leaf, doc).join(', ') || '0.0'}]`),
  }
}

type DecayFunction = ScoreFunction & { readonly kind: 'decay' }

/** How far a document's values are from the origin, the offset left out; undefined: it has none. */
interface DecayMeasure {
  readonly scale: number
  readonly offset: number
  readonly distances: (leaf: Leaf) => (doc: number) => number | undefined
  /** How explanations tell them. */
  readonly told: (leaf: Leaf, doc: number) => readonly string[]
}

/** @throws {ServiceError} illegal_argument_exception */
function checkDecay({ scale, offset }: DecayMeasure, { decay: share }: DecayFunction): void {
  const illegal = (what: string): ServiceError => illegalArgument(`function_score : ${what}`)
  if (scale <= 0) throw illegal('scale must be > 0.0.')
  if (share <= 0 || share >= 1) throw illegal('decay must be in the range [0..1].')
  if (offset < 0) throw illegal('offset must be > 0.0')
}

function pointDistances(made: DecayFunction, { path }: GeoPointField, context: QueryContext): DecayMeasure {
  if (made.scale === undefined) {
    throw new ServiceError('parse_exception', '[origin] and [scale] must be set for geo fields.')
  }
  const origin =
    made.origin === undefined ? { lat: 0, lon: 0 } : parseGeoPoint(made.origin, true, context.search.engineVersion)
  const { scale, offset } = made.meters
  if (Number.isNaN(scale)) throw new ServiceError('number_format_exception', `For input string: "${made.scale}"`)
  if (Number.isNaN(offset)) throw new ServiceError('number_format_exception', `For input string: "${made.offset}"`)
  return {
    scale,
    offset,
    distances: ({ segment }) => {
      const points = geoPointValues(segment, path)
      return (doc) => {
        const found: number[] = []
        points?.(doc, (lat, lon) => {
          found.push(Math.max(0, arcMeters(lat, lon, origin.lat, origin.lon) - offset))
          return false
        })
        found.sort((a, b) => a - b)
        return joined(0, found.length, (at) => found[at] as number, made.multiValueMode)
      }
    },
    told: ({ segment }, doc) => {
      const found: (readonly [lat: number, lon: number])[] = []
      geoPointValues(segment, path)?.(doc, (lat, lon) => {
        found.push([lat, lon])
        return false
      })
      const behind = `(=doc value),${javaDouble(origin.lat)}, ${javaDouble(origin.lon)}(=origin)) - ${javaDouble(offset)}(=offset), 0)`
      return found
        .sort((a, b) => a[0] - b[0])
        .map(([lat, lon]) => `Math.max(arcDistance(${javaDouble(lat)}, ${javaDouble(lon)}${behind}`)
    },
  }
}

function numberDistances(made: DecayFunction, field: FieldMapping, context: QueryContext): DecayMeasure {
  const path = field.kind === 'date' && field.inNanos ? millisPath(field.path) : field.path
  const { origin, scale, offset } = decayNumbers(made, field, context)
  const unreadable = noFieldData(field.path, field, context.search.isLucene7)
  if (unreadable !== undefined) throw illegalArgument(unreadable)
  return {
    scale,
    offset,
    distances: ({ segment }) => {
      const column = numbersOf(segment.field(path)?.docValues)
      if (column === undefined) return () => undefined
      const { values } = column
      const distanceAt = (at: number): number => Math.max(0, Math.abs(Number(values[at]) - origin) - offset)
      return (doc) => joined(firstPlace(column, doc), endPlace(column, doc), distanceAt, made.multiValueMode)
    },
    told: ({ segment }, doc) => {
      const from = `${javaDouble(origin)}(=origin))) - ${javaDouble(offset)}(=offset), 0)`
      const column = numbersOf(segment.field(path)?.docValues)
      if (column === undefined) return []
      const values = Array.from(column.values.subarray(firstPlace(column, doc), endPlace(column, doc)), Number)
      return values.map((value) => `Math.max(Math.abs(${javaDouble(value)}(=doc value) - ${from}`)
    },
  }
}

/** @throws {ServiceError} number_format_exception */
function numberOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (!Number.isNaN(number) || value === 'NaN') return number
  throw new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
}

function decayNumbers(made: DecayFunction, field: FieldMapping, context: QueryContext) {
  if (field.kind !== 'date') {
    const [origin, scale, offset] = [made.origin, made.scale, made.offset].map(numberOf)
    if (origin === undefined || scale === undefined) {
      throw new ServiceError('parse_exception', 'both [scale] and [origin] must be set for numeric fields.')
    }
    return { origin, scale, offset: offset ?? 0 }
  }
  if (made.scale === undefined) throw new ServiceError('parse_exception', '[scale] must be set for date fields.')
  const { now } = context.search
  const ms = (value: string | number, name: string): number => {
    const text = String(value)
    // What is wrong with being below 0 is said later.
    return /^-\d+[a-z]/i.test(text) ? -parseTimeMs(text.slice(1), name) : parseTimeMs(text, name)
  }
  const options = { now, timeZone: undefined, roundUp: false }
  return {
    origin: made.origin === undefined ? now : parseDateMath(String(made.origin), field.format, options),
    scale: ms(made.scale, 'DecayFunctionParser.scale'),
    offset: ms(made.offset, 'DecayFunctionParser.offset'),
  }
}

type Shape = (
  scale: number,
  decay: number,
) => { readonly evaluate: (distance: number) => number; readonly told: (distance: string) => string }

const SHAPES: Readonly<Record<'gauss' | 'exp' | 'linear', Shape>> = {
  // exp(0.5 · distance² / s) with s = 0.5 · scale² / ln(decay)
  gauss: (scale, share) => {
    const s = (0.5 * scale ** 2) / Math.log(share)
    return {
      evaluate: (distance) => Math.exp((0.5 * distance ** 2) / s),
      told: (distance) => `exp(-0.5*pow(${distance},2.0)/${javaDouble(-s)})`,
    }
  },
  exp: (scale, share) => {
    const s = Math.log(share) / scale
    return {
      evaluate: (distance) => Math.exp(s * distance),
      told: (distance) => `exp(- ${distance} * ${javaDouble(-s)})`,
    }
  },
  linear: (scale, share) => {
    const s = scale / (1 - share)
    return {
      evaluate: (distance) => Math.max(0, (s - distance) / s),
      told: (distance) => `max(0.0, ((${javaDouble(s)} - ${distance})/${javaDouble(s)})`,
    }
  },
}

/** The values at some places as one; undefined: there are none. */
function joined(
  from: number,
  to: number,
  valueAt: (at: number) => number,
  mode: 'min' | 'max' | 'avg' | 'sum',
): number | undefined {
  if (from >= to) return undefined
  let one = valueAt(from)
  for (let at = from + 1; at < to; at++) {
    const value = valueAt(at)
    one = mode === 'min' ? Math.min(one, value) : mode === 'max' ? Math.max(one, value) : one + value
  }
  return mode === 'avg' ? one / (to - from) : one
}

type NumberColumn = Extract<DocValues, { readonly kind: 'numeric' | 'bigint' }>

function numbersOf(column: DocValues | undefined): NumberColumn | undefined {
  return column?.kind === 'numeric' || column?.kind === 'bigint' ? column : undefined
}

/** Where a document's values begin. */
function firstPlace({ offsets }: NumberColumn, doc: number): number {
  return offsets === undefined ? doc : (offsets[doc] as number)
}

/** Where they end: where they begin, when there are none. */
function endPlace({ present, offsets }: NumberColumn, doc: number): number {
  if (offsets !== undefined) return offsets[doc + 1] as number
  return present === undefined || hasBit(present, doc) ? doc + 1 : doc
}

function firstValue(docValues: DocValues | undefined): (doc: number) => number | undefined {
  const column = numbersOf(docValues)
  if (column === undefined) return () => undefined
  const { values } = column
  return (doc) => {
    const at = firstPlace(column, doc)
    return at < endPlace(column, doc) ? Number(values[at]) : undefined
  }
}
