import { hasUnusualNumbers, parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { parseFirstJson } from '../body/parse-json.ts'
import { isMap, textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'

/** `json`: a text of JSON as what it says. */
export const json: ProcessorFactory = (config, { engineVersion }) => {
  const isLegacy = engineVersion === 'Elasticsearch_6.8'
  const field = config.text('field')
  const target = config.optionalText('target_field')
  const toRoot = config.boolean('add_to_root', false)
  if (toRoot && target !== undefined)
    throw config.fault('target_field', 'Cannot set a target field while also setting `add_to_root` to true')
  return (document) => {
    if (!toRoot) {
      document.set(target ?? field, jsonIn(document.get(field), isLegacy))
      return
    }
    // As in the real server the field's name is no path here, and one that is not there is null.
    const whole = document.whole
    const value = jsonIn(Object.hasOwn(whole, field) ? (whole[field] as Value) : null, isLegacy)
    if (!isMap(value)) throw new IngestFault('cannot add non-map fields to root of document')
    for (const [key, member] of Object.entries(value)) document.setAtRoot(key, member)
    return undefined
  }
}

/** What a value says as JSON: of several things the first one, of nothing null. @throws {IngestFault} */
export function jsonIn(value: Value, isLegacy: boolean): Value {
  const text = value === null ? 'null' : textOf(value)
  if (text.trim() === '') return null
  const first = firstOf(text)
  try {
    checkEnd(first)
    const read = parseFirstJson(first, isLegacy) as Value
    return hasUnusualNumbers(first) ? (parseLosslessJson(first) as Value) : read
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new IngestFault(
      `com.fasterxml.jackson.core.JsonParseException: ${error.reason}`,
      'illegal_argument_exception',
      new ServiceError('json_parse_exception', error.reason),
    )
  }
}

/** A number is told from what follows on it by a blank. @throws {ServiceError} */
function checkEnd(first: string): void {
  const [number = ''] = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\d.eE])/.exec(first) ?? []
  const next = first[number.length]
  if (number === '' || next === undefined) return
  throw new ServiceError(
    'json_parse_exception',
    `Unexpected character ('${next}' (code ${next.charCodeAt(0)})): Expected space separating root-level values`,
  )
}

/** The text of the first thing in a text of JSON; all of it where that cannot be told. */
function firstOf(text: string): string {
  const start = text.search(/\S/)
  const opening = text[start]
  if (opening !== '{' && opening !== '[' && opening !== '"') {
    // A number or a word ends with a blank.
    const end = /^\S+(?=\s)/.exec(text.slice(start))
    return end === null ? text : text.slice(0, start + end[0].length)
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    if (depth === 0) return text.slice(0, at + 1)
  }
  return text
}
