import { ServiceError } from '../../../errors.ts'
import { compareDoubles } from '../../algorithms/double-order.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { castFailure, ownCastFailure, ownClassFailure } from '../../java/java-class-text.ts'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import { timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { parseAddress, wordAsAddress } from '../../mapping/types/ip-address.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { illegalInQueryPhase, inQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { DocBatch } from '../doc-batch.ts'
import { type GeoBox, isInside } from '../geo/geo-grid-aggregator.ts'
import { GeoInput } from '../geo/geo-input.ts'
import { parseTile, tileName, tileNumber, tileOf, tileOfNumber } from '../geo/geo-tile.ts'
import { ExactLongs } from '../values/exact-longs.ts'
import { KeyInput, ValuesSpent } from '../values/key-input.ts'
import { leadingPoints, type ValueSpan } from '../values/leading-points.ts'
import type { OrdinalLeaf } from '../values/ordinal-leaf.ts'
import { StringInput, type StringLeaf } from '../values/string-input.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from '../values/value-batch.ts'
import {
  BOOLEAN_FORMAT,
  dateValueFormat,
  RAW_FORMAT,
  UNSIGNED_FORMAT,
  type ValueFormat,
} from '../values/value-format.ts'
import { NO_ROUNDING, type Rounding } from '../values/value-ordinals.ts'
import {
  resolveValuesSource,
  unsupportedField,
  type ValuesSource,
  type ValuesSourceConfig,
} from '../values/values-source.ts'
import { type DateInterval, dateRounding, dateRoundingName, wholeMillis } from './date-rounding.ts'

/** One part of the keys of a `composite`. */
export interface CompositeSourceDefinition {
  readonly name: string
  readonly source: ValuesSourceConfig
  readonly ascending: boolean
  /** Documents without a value have the key null; else they are passed over. */
  readonly missingBucket: boolean
  /** Where that key stands, whichever way the others are sorted; undefined: below all others. */
  readonly missingOrder?: 'first' | 'last'
  /** Times are shown in their field's format where none is asked for. */
  readonly showsDates?: boolean
  readonly rounding:
    | { readonly kind: 'none' }
    | { readonly kind: 'histogram'; readonly interval: number }
    | { readonly kind: 'date_histogram'; readonly interval: DateInterval; readonly offset: number }
    | GeoTiles
}

/** Tiles that points are in, in order. */
interface GeoTiles {
  readonly kind: 'geotile_grid'
  readonly precision: number
  readonly bounds: GeoBox | undefined
}

/** What is looked for in a field, and what it is when there is no field. */
const WANTED = {
  none: { wanted: 'any' },
  histogram: { wanted: 'numeric' },
  date_histogram: { wanted: 'numeric', hint: 'date' },
  geotile_grid: { wanted: 'geo', hint: 'geo_point' },
} as const satisfies Record<CompositeSourceDefinition['rounding']['kind'], object>

/** A part of a key as an answer shows it, and as a request says where to go on. */
export type CompositeValue = string | number | bigint | boolean | null

/** Stands for no value. Below every other number. */
export const MISSING = -Infinity

/** Keys of a batch's documents: those of the i-th stand at starts[i]…starts[i + 1]-1, ascending and different. */
export interface CompositeKeys {
  readonly starts: Int32Array
  readonly keys: Float64Array
  /** By key 1 where it counts a document, which is then not done by each; undefined: every key does. */
  readonly counted: Uint8Array | undefined
}

/** Keys as ordinals, of which no document has several. */
export interface CompositeOrdinals {
  /** Ordinals are below it. */
  readonly size: number
  leaf(segment: SegmentScope): OrdinalLeaf
  /** Adds all documents of a segment to counts by ordinal; false: they must be looked at. */
  countSegment(segment: SegmentScope, counts: Int32Array): boolean
  keyOf(ordinal: number): number
}

/**
 * A part of the keys: turns values into numbers that can be compared, and back.
 */
export class CompositeSource {
  readonly definition: CompositeSourceDefinition
  readonly isFloating: boolean
  readonly #sources: readonly ValuesSource[]
  readonly #strings: StringInput | undefined
  readonly #longs: ExactLongs | undefined
  readonly #format: ValueFormat
  readonly #rounding: Rounding
  /** Undefined where ordinals are not asked for, or there. */
  #spent: ValuesSpent | undefined
  readonly #values = new ValueBatch()
  #stringLeaf: StringLeaf | undefined
  #numericLeaf: NumericLeaf | undefined
  readonly #is6: boolean
  /** What keys are to Java, by index; undefined: the same in all of them. */
  readonly #classes: readonly (string | undefined)[] | undefined
  /** Of those met. */
  readonly #met = new Set<string>()
  #class: string | undefined
  /** By index, of a source that leads: see {@link leadingPoints}. */
  readonly #spans: readonly (ValueSpan | undefined)[]
  #span: ValueSpan | undefined
  #starts = new Int32Array(0)
  #keys = new Float64Array(0)
  #counted = new Uint8Array(0)

  /** @param leads  whether it is the first of a `composite` */
  constructor(definition: CompositeSourceDefinition, context: AggregationContext, leads: boolean) {
    this.definition = definition
    const { rounding, source } = definition
    // 6.8 rounds in a zone, but shows and reads keys in UTC.
    const is6 = context.engineVersion === 'Elasticsearch_6.8'
    this.#is6 = is6
    const { timeZone: zone, ...shown } = source
    this.#sources = context.searchers.map((searcher) =>
      resolveValuesSource(searcher, is6 ? shown : source, {
        ...WANTED[rounding.kind],
        engineVersion: context.engineVersion,
        now: context.now,
        aggregation: rounding.kind,
      }),
    )
    const isRounded = rounding.kind === 'none' || rounding.kind === 'date_histogram'
    const mayLead = leads && isRounded && definition.ascending && !definition.missingBucket
    this.#spans = this.#sources.map((one, i) =>
      mayLead ? leadingPoints(source, one, context.searchers[i] as IndexSearcher, context) : undefined,
    )
    for (const [i, one] of this.#sources.entries()) {
      if ((one.kind !== 'geo' || rounding.kind === 'geotile_grid') && one.kind !== 'range') continue
      if (!is6) throw unsupportedField(source, context.searchers[i] as IndexSearcher, one, 'terms')
      throw illegalInQueryPhase(`invalid source, expected numeric or string values for [${definition.name}]`)
    }
    if (!is6) this.#refuseBooleans(context)
    const classes = this.#sources.map((one) => keyClass(one, rounding.kind))
    const isMixed = new Set(classes.filter((name) => name !== undefined)).size > 1
    this.#classes = isMixed ? classes : undefined
    const numeric = this.#sources.find((one) => one.kind === 'numeric')
    this.#strings = this.#sources.some(({ kind }) => kind === 'string')
      ? new StringInput(context, this.#sources, { beside: 'apart' })
      : undefined
    const isExact = rounding.kind === 'none' && ExactLongs.needed(context, this.#sources)
    this.#longs = isExact || rounding.kind === 'geotile_grid' ? new ExactLongs() : undefined
    this.isFloating = rounding.kind === 'histogram' || (rounding.kind === 'none' && numeric?.isFloating === true)
    // Times are shown as numbers unless a format is asked for, or they are rounded as numbers.
    const isDate = numeric?.isDate === true || rounding.kind === 'date_histogram'
    this.#format =
      isDate && (is6 || rounding.kind !== 'histogram') && source.format === undefined && definition.showsDates !== true
        ? RAW_FORMAT
        : isDate && numeric === undefined
          ? dateValueFormat(createDateFormat(source.format as string, context.engineVersion), is6 ? undefined : zone)
          : numeric === undefined || numeric.format === UNSIGNED_FORMAT
            ? RAW_FORMAT
            : numeric.format
    this.#rounding = roundingOf(definition, numeric?.isFloating === true, context.engineVersion)
  }

  #refuseBooleans({ searchers }: AggregationContext): void {
    const { rounding, source } = this.definition
    if (rounding.kind === 'none') return
    for (const [i, searcher] of searchers.entries()) {
      const found = this.#sources[i] as ValuesSource
      if (searcher.mapping.field(source.field ?? '')?.kind !== 'boolean') continue
      throw unsupportedField(source, searcher, found, rounding.kind)
    }
  }

  /** Whether what it counts is not all that it reads, in some index. */
  get leads(): boolean {
    return this.#spans.some((span) => span !== undefined)
  }

  /** @throws {ServiceError} class_cast_exception where keys of several indices have no order */
  checkOrder(): void {
    const [one, other] = this.#met
    if (one !== undefined && other !== undefined) throw failedToOrder(one, other)
  }

  /** Undefined where they are not known; it is noted then what is done without, so that they are some time. */
  ordinals(context: AggregationContext): CompositeOrdinals | undefined {
    if (this.#classes !== undefined) return undefined
    const strings = this.#strings
    if (strings !== undefined) {
      const isWhole = this.#sources.every(({ kind }) => kind === 'string' || kind === 'unmapped')
      if (!isWhole || !strings.isSingle) return undefined
      return {
        size: strings.size,
        leaf: (segment) => strings.leaf(segment),
        countSegment: (segment, counts) => strings.countSegment(segment, counts),
        keyOf: (ordinal) => ordinal,
      }
    }
    if (this.#longs !== undefined) return undefined
    const input = KeyInput.open(context, this.#sources, this.#rounding)
    if (input === undefined) this.#spent = new ValuesSpent(this.#sources, this.#rounding)
    if (input?.isSingle !== true) return undefined
    const { keys } = input
    return {
      size: keys.length,
      leaf: (segment) => input.leaf(segment),
      countSegment: (segment, counts) => input.countSegment(segment, counts),
      keyOf: (ordinal) => keys[ordinal] as number,
    }
  }

  /** All batches of one index have been seen. */
  finishIndex(): void {
    this.#spent?.note()
  }

  openSegment(segment: SegmentScope): void {
    this.#spent?.openSegment(segment)
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    this.#span = this.#spans[segment.searcherOrdinal]
    this.#class = this.#classes?.[segment.searcherOrdinal]
    this.#stringLeaf = source.kind === 'string' ? this.#strings?.leaf(segment) : undefined
    this.#numericLeaf =
      source.kind === 'geo'
        ? this.#tileLeaf(segment)
        : source.kind !== 'numeric'
          ? undefined
          : (this.#longs?.leaf(segment.reader, source) ?? numericLeaf(segment.reader, source.path, source.missing))
  }

  /** The tiles of a segment's points, each by its number among {@link #longs}; two points in one tile count twice. */
  #tileLeaf(segment: SegmentScope): NumericLeaf {
    const { precision, bounds } = this.definition.rounding as GeoTiles
    const longs = this.#longs as ExactLongs
    const points = new GeoInput(this.#sources)
    points.openSegment(segment)
    return {
      limit: Number.POSITIVE_INFINITY,
      gather: (batch, out) => {
        out.reset(batch)
        points.visit(batch, (lat, lon, i) => {
          if (bounds !== undefined && !isInside(lat, lon, bounds)) return
          const tile = longs.number(tileNumber(tileOf(lat, lon, precision)))
          out.push(batch.docs[i] as number, batch.buckets[i] as number, 0, tile)
        })
      },
    }
  }

  /** Valid until the next call. */
  read(batch: DocBatch): CompositeKeys {
    if (this.#starts.length < batch.count + 1) this.#starts = new Int32Array(batch.count * 2 + 1)
    if (this.#stringLeaf !== undefined) this.#readStrings(batch, this.#stringLeaf)
    else this.#readNumbers(batch)
    if (this.#class !== undefined) this.#meet(this.#class, this.#starts[batch.count] as number)
    return { starts: this.#starts, keys: this.#keys, counted: this.#span === undefined ? undefined : this.#counted }
  }

  #meet(keyClass: string, count: number): void {
    if (this.#keys.subarray(0, count).some((key) => key !== MISSING)) this.#met.add(keyClass)
  }

  /** Order of two keys, negative when the first comes first in the answer. */
  compare(a: number, b: number): number {
    let order = compareDoubles(a, b)
    if (order === 0) return 0
    if (a === MISSING) return this.#missingPlace
    if (b === MISSING) return -this.#missingPlace
    const longs = this.#longs
    if (longs !== undefined) order = longs.value(a) < longs.value(b) ? -1 : 1
    return this.definition.ascending ? order : -order
  }

  /** Order of no value and any other. */
  get #missingPlace(): number {
    const { missingOrder, ascending } = this.definition
    if (missingOrder === undefined) return ascending ? -1 : 1
    return missingOrder === 'first' ? -1 : 1
  }

  /** Compares keys with where the last answer ended. @throws {ServiceError} when that is no value of the field */
  comparatorTo(after: CompositeValue, now: number): (key: number) => number {
    const { ascending, name, missingBucket } = this.definition
    const sign = ascending ? 1 : -1
    if (after === null) {
      if (!missingBucket) {
        throw illegalInQueryPhase(`Invalid value for [after.${name}], expected comparable, got [null]`)
      }
      return (key) => (key === MISSING ? 0 : -this.#missingPlace)
    }
    const compare = this.#comparatorTo(after, sign, now)
    return (key) => (key === MISSING ? this.#missingPlace : compare(key))
  }

  #comparatorTo(after: Exclude<CompositeValue, null>, sign: number, now: number): (key: number) => number {
    const strings = this.#strings
    // From 7.x on terms of a field that is not mapped are words.
    const isUnmapped = ({ kind }: ValuesSource): boolean => kind === 'unmapped'
    const hasWords = !this.#is6 && this.definition.rounding.kind === 'none' && this.#sources.some(isUnmapped)
    if ((strings !== undefined || hasWords) && typeof after !== 'string')
      throw illegalInQueryPhase(`invalid value, expected string, got ${javaType(after)}`)
    if (hasWords && this.#sources.every(isUnmapped)) return () => -sign
    if (strings !== undefined && typeof after === 'string') {
      // Each index reads it as one of its own.
      const hasAddresses = this.#sources.some((source) => source.kind === 'string' && source.isIp)
      const wordPlace = strings.isIp ? Number.NaN : placeOf(strings, Buffer.from(after))
      const addressPlace = hasAddresses ? placeOf(strings, parseAddress(after)) : wordPlace
      return (key) => {
        const place = strings.isAddress(key) ? addressPlace : wordPlace
        return sign * (key < place ? -1 : key > place ? 1 : 0)
      }
    }
    const value = this.#parse(after, now)
    const longs = this.#longs
    if (longs === undefined) return (key) => sign * compareDoubles(key, Number(value))
    return (key) => {
      const own = longs.value(key)
      return sign * (own < value ? -1 : own > value ? 1 : 0)
    }
  }

  show(key: number): CompositeValue {
    if (key === MISSING) return null
    if (this.#strings !== undefined) return this.#strings.text(key)
    const value = this.#longs === undefined ? key : this.#longs.value(key)
    if (this.#format === BOOLEAN_FORMAT) return value !== 0
    if (this.definition.rounding.kind === 'geotile_grid') return tileName(tileOfNumber(BigInt(value)))
    return this.#format.isRaw ? value : this.#format.format(value)
  }

  /**
   * Where the next answer is to go on: in 6.x shown as the first of the indices shows its own.
   *
   * @throws {ServiceError} illegal_argument_exception of a word where that has addresses
   */
  showAfter(key: number): CompositeValue {
    const strings = this.#strings
    const first = this.#sources.find((source) => source.kind === 'string')
    if (!this.#is6 || strings === undefined || first === undefined || key === MISSING) return this.show(key)
    const isAddress = strings.isAddress(key)
    if (first.isIp === isAddress) return this.show(key)
    return isAddress ? Buffer.from(strings.term(key)).toString() : wordAsAddress(strings.term(key))
  }

  /** {@link show} as a text. */
  text(key: number): string {
    if (this.#strings !== undefined) return this.#strings.text(key)
    const value = this.#longs === undefined ? key : this.#longs.value(key)
    return this.isFloating || !this.#format.isRaw ? this.#format.format(value) : String(value)
  }

  #parse(after: string | number | bigint | boolean, now: number): number | bigint {
    if (this.definition.rounding.kind === 'geotile_grid')
      return typeof after === 'string' ? tileNumber(parseTile(after)) : Number(after)
    if (typeof after === 'bigint' || typeof after === 'number') {
      if (this.isFloating) return after
      // Later ones read longs from texts whatever they are given.
      if (this.#is6) return typeof after === 'number' ? Math.trunc(after) : after
    }
    const text = String(after)
    if (this.#longs !== undefined && /^-?\d+$/.test(text)) return BigInt(text)
    const value = inQueryPhase(() => this.#format.parse(text, false, now))
    return this.isFloating ? value : Math.trunc(value)
  }

  #readStrings({ docs, count }: DocBatch, { column, map, missing }: StringLeaf): void {
    const { missingBucket } = this.definition
    const starts = this.#starts
    let size = 0
    for (let i = 0; i < count; i++) {
      starts[i] = size
      const doc = docs[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (size + to - from + 1 > this.#keys.length) this.#grow(size + to - from + 1)
      if (from === to && missing >= 0) this.#keys[size++] = missing
      else if (from === to && missingBucket) this.#keys[size++] = MISSING
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        this.#keys[size++] = map === undefined ? ordinal : (map[ordinal] as number)
      }
    }
    starts[count] = size
  }

  #readNumbers(batch: DocBatch): void {
    const { missingBucket } = this.definition
    const values = this.#values
    if (this.#numericLeaf === undefined) values.reset(batch)
    else this.#numericLeaf.gather(batch, values)
    const starts = this.#starts
    const rounding = this.#rounding === NO_ROUNDING ? undefined : this.#rounding
    this.#spent?.add(batch.count)
    if (this.#keys.length < values.count + batch.count) this.#grow(values.count + batch.count)
    const keys = this.#keys
    const span = this.#span
    if (span !== undefined && this.#counted.length < keys.length) this.#counted = new Uint8Array(keys.length)
    let size = 0
    let at = 0
    for (let i = 0; i < batch.count; i++) {
      starts[i] = size
      const doc = batch.docs[i]
      const bucket = batch.buckets[i]
      const first = size
      let last = Number.NaN
      for (; at < values.count && values.docs[at] === doc && values.buckets[at] === bucket; at++) {
        const value = values.values[at] as number
        const key = rounding === undefined ? value : rounding.round(value)
        if (span !== undefined) {
          const counts = key !== last && this.#isWithin(value, span)
          this.#counted[size] = counts ? 1 : 0
          if (counts) last = key
        }
        keys[size++] = key
      }
      if (size === first && missingBucket) keys[size++] = MISSING
    }
    starts[batch.count] = size
  }

  #isWithin(value: number, { from, to }: ValueSpan): boolean {
    const exact = this.#longs === undefined ? value : this.#longs.value(value)
    return exact >= from && exact <= to
  }

  #grow(size: number): void {
    const keys = new Float64Array(Math.max(size, this.#keys.length * 2, 64))
    keys.set(this.#keys)
    this.#keys = keys
  }
}

const BYTES = 'org.apache.lucene.util.BytesRef'

/** The class of an index' keys; undefined: it has none. */
function keyClass(source: ValuesSource, rounding: CompositeSourceDefinition['rounding']['kind']): string | undefined {
  if (source.kind === 'string') return BYTES
  if (source.kind !== 'numeric') return undefined
  const isFloating = rounding === 'histogram' || (rounding === 'none' && source.isFloating)
  return isFloating ? 'java.lang.Double' : 'java.lang.Long'
}

function failedToOrder(one: string, other: string): ServiceError {
  const reason =
    one === BYTES ? ownClassFailure(one, other) : other === BYTES ? ownCastFailure(one, other) : castFailure(one, other)
  return new ServiceError('class_cast_exception', reason, { inReducePhase: true })
}

function roundingOf(
  { rounding, source }: CompositeSourceDefinition,
  isFloating: boolean,
  engineVersion: EngineVersion,
): Rounding {
  if (rounding.kind === 'histogram') {
    const { interval } = rounding
    return { name: `floor ${interval}`, round: (value) => Math.floor(value / interval) * interval }
  }
  if (rounding.kind !== 'date_histogram') return NO_ROUNDING
  const { interval, offset } = rounding
  const zone = source.timeZone === undefined ? UTC : timeZone(source.timeZone)
  const dates = dateRounding(interval, zone, engineVersion)
  const round =
    offset === 0 && !isFloating
      ? (value: number) => dates.round(value)
      : (value: number) => dates.round(wholeMillis(value) - offset) + offset
  return { name: dateRoundingName(interval, zone, offset), round }
}

/** Ordinal of a term; of one that is not there, half way between its neighbours. */
function placeOf(strings: StringInput, term: Uint8Array): number {
  let low = 0
  let high = strings.size
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = Buffer.compare(strings.term(middle), term)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return low - 0.5
}

/** The class that a value of JSON is read as. */
function javaType(value: number | bigint | boolean): string {
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'Double'
  if (BigInt.asIntN(32, BigInt(value)) === BigInt(value)) return 'Integer'
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value) ? 'Long' : 'BigInteger'
}
