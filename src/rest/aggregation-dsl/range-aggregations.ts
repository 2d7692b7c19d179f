import type { IpRangeDefinition } from '../../engine/aggregation/ip-range-aggregator.ts'
import type { RangeDefinition, RequestedRange } from '../../engine/aggregation/range-aggregator.ts'
import { parseAddress, parseNetwork } from '../../engine/mapping/ip-address.ts'
import type { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import type { JsonValue } from '../parse-json.ts'
import { type AggregationBody, type JsonObject, parsingError } from './aggregation-body.ts'
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
  const source = readValuesSource(body, { formattable: true, timeZone: false, scriptable: false })
  const list = body.array('ranges') ?? []
  const text = (value: JsonValue | undefined): string | undefined =>
    value === undefined || value === null ? undefined : String(value)
  const ranges = list.map((json) => {
    if (!isObject(json)) throw parsingError(`[ranges] must be objects, but got [${typeof json}] in [${body.name}]`)
    const { key, from, to, mask, ...rest } = json
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw parsingError(`Unexpected ip range parameter: [${unknown}]`).at(json, unknown)
    if (mask !== undefined && (from !== undefined || to !== undefined)) {
      throw parsingError('When specifying [mask], [from] and [to] must not be specified').at(json, undefined, 'end')
    }
    body.read('ranges', () => {
      for (const address of [from, to]) if (typeof address === 'string') parseAddress(address)
      if (typeof mask === 'string') parseNetwork(mask)
    })
    return { key: text(key), from: text(from), to: text(to), mask: text(mask) }
  })
  if (ranges.length === 0) noteNoRanges(body)
  return { kind: 'ip_range', source, ranges, keyed: body.boolean('keyed') ?? false }
}

/** `ranges`, of which there must be one at least. */
function readRanges(body: AggregationBody): RequestedRange[] {
  const list = body.array('ranges') ?? []
  const ranges = body.read('ranges', () => list.map((json) => readRange(json, body))) ?? []
  if (ranges.length === 0) noteNoRanges(body)
  return ranges
}

/** Notes that there are no ranges, which each index says. */
export function noteNoRanges(body: AggregationBody): void {
  body.note('illegal_argument_exception', `No [ranges] specified for the [${body.name}] aggregation`, false)
}

function readRange(json: JsonValue, body: AggregationBody): RequestedRange {
  if (!isObject(json)) throw parsingError(`[ranges] must be objects, but got [${typeof json}] in [${body.name}]`)
  const { key, from, to, mask: _, ...rest } = json
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw unknownRangeField(unknown, json, body)
  return { key: typeof key === 'string' ? key : undefined, from: bound(from), to: bound(to) }
}

/** What is wrong with a member of a range that none has. */
export function unknownRangeField(field: string, json: JsonObject, body: AggregationBody): ServiceError {
  return body.context.engineVersion === 'Elasticsearch_6.8'
    ? parsingError(`Failed to parse object: unknown field [${field}] found`).at(json, field)
    : parseFault(`[range] unknown field [${field}]`).at(json, field, 'field')
}

function bound(value: JsonValue | undefined): number | string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : String(value)
}
