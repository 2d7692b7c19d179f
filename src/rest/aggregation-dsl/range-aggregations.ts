import type { IpRangeDefinition } from '../../engine/aggregation/buckets/ip-range-aggregator.ts'
import type { RangeDefinition, RequestedRange } from '../../engine/aggregation/buckets/range-aggregator.ts'
import { parseAddress, parseNetwork } from '../../engine/mapping/types/ip-address.ts'
import { isObject } from '../../is-object.ts'
import { parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { objectAt, tokenBehind } from '../body/object-at.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'
import { type AggregationBody, parsingError } from './aggregation-body.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `range`. */
export function parseRange(body: AggregationBody): RangeDefinition {
  const source = readValuesSource(body)
  return { kind: 'range', source, ranges: readRanges(body), keyed: body.boolean('keyed') ?? false }
}

/** `date_range`. */
export function parseDateRange(body: AggregationBody): RangeDefinition {
  const source = readValuesSource(body, { formattable: true, timeZone: true })
  return { kind: 'date_range', source, ranges: readRanges(body), keyed: body.boolean('keyed') ?? false }
}

/** `ip_range`. */
export function parseIpRange(body: AggregationBody): IpRangeDefinition {
  const source = readValuesSource(body, { formattable: false, timeZone: false, scriptable: false })
  const ranges = body.objectList('ranges', readIpRange) ?? []
  if (ranges.length === 0) noteNoRanges(body)
  return { kind: 'ip_range', source, ranges, keyed: body.boolean('keyed') ?? false }
}

function readIpRange(list: readonly JsonValue[], index: number): IpRangeDefinition['ranges'][number] {
  const json = list[index] as JsonValue
  if (!isObject(json)) throw parsingError(`[ranges] must contain objects, but hit a ${tokenName(json)}`)
  const texts = new Map<string, string | undefined>()
  for (const [name, value] of Object.entries(json)) {
    if (!IP_MEMBERS.has(name)) throw parsingError(`Unexpected ip range parameter: [${name}]`).at(json, name)
    texts.set(name, value === null && (name === 'from' || name === 'to') ? undefined : tokenText(value))
  }
  const [key, from, to, mask] = [...IP_MEMBERS].map((name) => texts.get(name))
  if (mask !== undefined && (from !== undefined || to !== undefined))
    throw parsingError('When specifying [mask], [from] and [to] must not be specified').at(json, undefined, 'end')
  placed(
    json,
    undefined,
    () => {
      for (const address of [from, to]) if (address !== undefined) parseAddress(address)
      if (mask !== undefined) parseNetwork(mask)
    },
    'end',
  )
  return { key, from, to, mask }
}

const IP_MEMBERS: ReadonlySet<string> = new Set(['key', 'from', 'to', 'mask'])

/** `ranges`, of which there must be one at least. */
function readRanges(body: AggregationBody): RequestedRange[] {
  const read = body.isLegacy ? body.objectList('ranges', readTokenRange) : body.objectList('ranges', readRange)?.flat()
  const ranges = read ?? []
  if (ranges.length === 0) noteNoRanges(body)
  return ranges
}

/** Notes that there are no ranges, which each index says. */
export function noteNoRanges(body: AggregationBody): void {
  body.note('illegal_argument_exception', `No [ranges] specified for the [${body.name}] aggregation`, false)
}

function readRange(list: readonly JsonValue[], index: number): RequestedRange[] {
  // Read already, in the place of what is none.
  if (index > 0 && !isObject(list[index - 1])) return []
  const json = objectAt('range', list, index)
  for (const [name, value] of Object.entries(json)) {
    const tokens = Object.hasOwn(RANGE_MEMBERS, name) ? RANGE_MEMBERS[name] : undefined
    if (tokens === undefined) throw unknownField('range', name, false, Object.keys(RANGE_MEMBERS), json)
    if (tokens.includes(tokenName(value))) continue
    throw parseFault(`[range] ${name} doesn't support values of type: ${tokenName(value)}`).at(json, name)
  }
  const { key, from, to } = json
  return [{ key: key === undefined ? undefined : String(key), from: bound(from), to: bound(to) }]
}

const BOUND = ['VALUE_NUMBER', 'VALUE_STRING', 'VALUE_NULL']

const RANGE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  key: ['VALUE_NUMBER', 'VALUE_STRING'],
  from: BOUND,
  to: BOUND,
}

/** A range as parsers of the old kind read it, which ask what token a value begins with and for the name then. */
export function readTokenRange(list: readonly JsonValue[], index: number): RequestedRange {
  const json = list[index] as JsonValue
  const unexpected = (token: string): string => `Failed to parse object: unexpected token [${token}] found`
  if (!isObject(json)) throw parsingError(unexpected(tokenBehind(list, index))).at(list, index, 'next')
  for (const [name, value] of Object.entries(json)) {
    const token = tokenName(value)
    const names = token === 'VALUE_NUMBER' ? ['from', 'to'] : ['from', 'to', 'key']
    if (!TOKENS_OF_RANGES.has(token)) throw parsingError(unexpected(token)).at(json, name)
    if (!names.includes(name))
      throw parsingError(`Failed to parse object: unknown field [${name}] found`).at(json, name)
  }
  const { key, from, to } = json
  return { key: typeof key === 'string' ? key : undefined, from: bound(from), to: bound(to) }
}

const TOKENS_OF_RANGES: ReadonlySet<string> = new Set(BOUND)

function bound(value: JsonValue | undefined): number | string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : String(value)
}
