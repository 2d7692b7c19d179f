import { ServiceError } from '../../errors.ts'
import { parseJson } from '../parse-json.ts'
import { type IngestDocument, isMap, textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'

/** `json`: a text of JSON as what it says. */
export const json: ProcessorFactory = (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field')
  const toRoot = config.boolean('add_to_root', false)
  if (toRoot && target !== undefined)
    throw config.fault('target_field', 'Cannot set a target field while also setting `add_to_root` to true')
  return (document) => {
    const value = document.get(field)
    let parsed = value
    if (typeof value === 'string') {
      try {
        parsed = parseJson(value) as Value
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        throw new IngestFault(
          `com.fasterxml.jackson.core.JsonParseException: ${error.reason}`,
          'illegal_argument_exception',
          new ServiceError('json_parse_exception', error.reason),
        )
      }
    }
    if (!toRoot) {
      document.set(target ?? field, parsed)
      return
    }
    if (!isMap(parsed)) throw new IngestFault('cannot add non-map fields to root of document')
    for (const [key, member] of Object.entries(parsed)) document.source[key] = member
    return undefined
  }
}

function appendOrSet(document: IngestDocument, path: string, value: Value): void {
  if (document.has(path)) document.append(path, value)
  else document.set(path, value)
}

/** `kv`: `a=1 b=2` as fields. */
export const kv: ProcessorFactory = (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field')
  const fieldSplit = new RegExp(config.text('field_split'), 'g')
  const separator = config.text('value_split')
  const valueSplit = new RegExp(separator)
  const included = config.optionalList('include_keys')?.map(String)
  const excluded = config.optionalList('exclude_keys')?.map(String)
  const prefix = config.text('prefix', '')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const trimKey = trimmer(config.optionalText('trim_key'))
  const trimValue = trimmer(config.optionalText('trim_value'))
  const strips = config.boolean('strip_brackets', false)
  return (document) => {
    if (ignoreMissing && !document.has(field)) return
    const text = document.text(field)
    if (text === null) {
      if (ignoreMissing) return
      throw new IngestFault(`field [${field}] is null, cannot extract key-value pairs.`)
    }
    for (const part of text.split(fieldSplit)) {
      const match = valueSplit.exec(part)
      if (match === null) throw new IngestFault(`field [${field}] does not contain value_split [${separator}]`)
      const key = trimKey(part.slice(0, match.index))
      if (included !== undefined && !included.includes(key)) continue
      if (excluded?.includes(key)) continue
      const value = trimValue(part.slice(match.index + match[0].length))
      appendOrSet(
        document,
        `${target === undefined ? '' : `${target}.`}${prefix}${key}`,
        strips ? unbracketed(value) : value,
      )
    }
    return undefined
  }
}

function trimmer(letters: string | undefined): (text: string) => string {
  if (letters === undefined) return (text) => text
  const class_ = `[${letters.replace(/[\]\\^-]/g, '\\$&')}]`
  const regexp = new RegExp(`^${class_}+|${class_}+$`, 'g')
  return (text) => text.replace(regexp, '')
}

function unbracketed(text: string): string {
  return /^[([<"'].*[)\]>"']$/s.test(text) ? text.slice(1, -1) : textOf(text)
}
