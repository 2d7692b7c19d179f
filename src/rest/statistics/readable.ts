import { durationText } from '../../engine/duration-text.ts'
import { setOwn } from '../../set-own.ts'
import { bytesText } from '../cat/cat-value.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { JavaDouble, JavaFloat, type Json, RawJson } from '../json/json-writer.ts'

type Members = { readonly [name: string]: Json }

/** Answers as a handler of statistics does and, with `human`, with readable texts before times and sizes. */
export function readable(handler: EndpointHandler): EndpointHandler {
  return async (request, context) => {
    const response = await handler(request, context)
    if ('text' in response || !request.parameters.boolean('human', false)) return response
    return { ...response, json: withTexts(response.json) }
  }
}

/** Every time and size of statistics with a readable text before it, under its name without the unit, unless that is taken. */
export function withTexts(json: Json): Json {
  if (isList(json)) return json.map(withTexts)
  if (!hasMembers(json)) return json
  const out: Record<string, Json> = {}
  for (const [name, value] of Object.entries(json)) {
    const text = textOf(name, value)
    const named = text === undefined ? undefined : nameOf(name, json)
    if (named !== undefined && !Object.hasOwn(json, named)) out[named] = text
    // What a task used is told in numbers alone.
    setOwn(out, name, name === 'resource_stats' ? value : withTexts(value))
  }
  return out
}

/** Names of texts that are not the number's without its unit. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['active_shards_percent_as_number', 'active_shards_percent'],
  ['fixed_bit_set_memory_in_bytes', 'fixed_bit_set'],
  ['total_indexing_buffer', 'total_indexing_buffer_in_bytes'],
])

/** Points in time, and not spans. */
const MOMENTS: ReadonlySet<string> = new Set(['start_time_in_millis', 'stop_time_in_millis'])

const UNIT = /(?:_in)?_(millis|bytes|nanos)$|_(ns)$/

function nameOf(name: string, { exists_total: ofGets, getTime }: Members): string {
  // OpenSearch tells it under both names, this one whether asked for texts or not.
  if (name === 'time_in_millis' && ofGets !== undefined && getTime === undefined) return 'getTime'
  return NAMES.get(name) ?? name.replace(UNIT, '')
}

function textOf(name: string, value: Json): string | undefined {
  if (name === 'active_shards_percent_as_number' && value instanceof JavaDouble) return `${value.value.toFixed(1)}%`
  if (typeof value !== 'number') return undefined
  if (MOMENTS.has(name)) return new Date(value).toISOString()
  if (name === 'total_indexing_buffer') return bytesText(value)
  const [, unit, short] = UNIT.exec(name) ?? []
  switch (unit ?? short) {
    case 'millis':
      return durationText(value)
    case 'nanos':
    case 'ns':
      return durationText(value / 1e6)
    case 'bytes':
      return bytesText(value)
    default:
      return undefined
  }
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

function hasMembers(json: Json): json is Members {
  return (
    typeof json === 'object' &&
    json !== null &&
    !(json instanceof RawJson || json instanceof JavaDouble || json instanceof JavaFloat)
  )
}
