import { luceneGeneration } from '../../engine/analysis/automaton/lucene-generation.ts'
import { HtmlStripCharFilter } from '../../engine/analysis/char-filters/html-strip-char-filter.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { parseByteSize } from '../../engine/metadata/byte-size-value.ts'
import { ServiceError } from '../../errors.ts'
import { classOf, type IngestDocument, textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { JavaRegExp } from './java-regexp.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A processor that makes something of a text. */
function ofText(change: (text: string) => Value): ProcessorFactory {
  return (config, { engineVersion }) => changing(config, engineVersion, change)
}

/** Makes something of a text, and of each of a list (7 and later). */
function changing(
  config: ProcessorConfig,
  engineVersion: EngineVersion,
  change: (text: string, document: IngestDocument) => Value,
): ReturnType<ProcessorFactory> {
  const takesLists = engineVersion !== 'Elasticsearch_6.8'
  const field = config.text('field')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const target = config.text('target_field', field)
  return (document) => {
    const list = takesLists && document.has(field) ? document.get(field) : undefined
    if (Array.isArray(list)) {
      document.set(
        target,
        list.map((value) => change(textIn(value, field), document)),
      )
      return
    }
    const text = document.textToUse(field, ignoreMissing)
    if (text === undefined) return
    document.set(target, change(text, document))
    return undefined
  }
}

/** An item of a list, which must be a text. @throws {IngestFault} */
function textIn(value: Value, field: string): string {
  if (typeof value === 'string') return value
  if (value === null)
    throw new IngestFault('Cannot invoke "Object.getClass()" because "value" is null', 'null_pointer_exception')
  throw new IngestFault(
    `value [${textOf(value)}] of type [${classOf(value)}] in list field [${field}] cannot be cast to [java.lang.String]`,
  )
}

/** `lowercase`. */
export const lowercase = ofText((text) => text.toLowerCase())

/** `uppercase`. */
export const uppercase = ofText((text) => text.toUpperCase())

/** `html_strip` (7 and later): a text without its markup. */
export const htmlStrip: ProcessorFactory = (config, { engineVersion }) => {
  const stripping = new HtmlStripCharFilter([], luceneGeneration(engineVersion))
  return changing(config, engineVersion, (text) =>
    text.includes('<') && text.includes('>') ? stripping.filter(text).text : text,
  )
}

/** `trim`: Java's, of everything up to the blank. */
export const trim = ofText((text) => text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, ''))

/** `urldecode`. */
export const urlDecode = ofText(decodeUrl)

/** As `java.net.URLDecoder` does: bytes that are no UTF-8 become replacement characters. @throws {IngestFault} */
export function decodeUrl(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[\s\S]{0,2})+/g, (escapes) => {
    const bytes: number[] = []
    let at = 0
    for (; at < escapes.length && escapes[at] === '%'; at += 3) {
      if (at + 2 >= escapes.length) throw new IngestFault('URLDecoder: Incomplete trailing escape (%) pattern')
      const digits = escapes.slice(at + 1, at + 3)
      if (!/^[+-]?[0-9a-fA-F]+$/.test(digits)) {
        throw new IngestFault(
          `URLDecoder: Illegal hex characters in escape (%) pattern - Error at index 0 in: "${digits}"`,
        )
      }
      bytes.push(Number.parseInt(digits, 16))
    }
    return Buffer.from(bytes).toString('utf8')
  })
}

/** `bytes`: a size in words as its number of bytes. */
export const bytes: ProcessorFactory = (config, { engineVersion }) =>
  changing(config, engineVersion, (text) => {
    try {
      return parseByteSize(text, 'Ingest Field', engineVersion)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw new IngestFault(
        error.reason,
        error.type as 'parse_exception' | 'number_format_exception',
        error.detail.cause,
      )
    }
  })

/** `gsub`. */
export const gsub: ProcessorFactory = (config, { engineVersion }) => {
  const pattern = config.text('pattern')
  const replacement = config.text('replacement')
  const regexp = compile(pattern)
  if (regexp instanceof IngestFault) {
    // The field's own mistakes are told first.
    config.text('field')
    throw config.fault('pattern', `Invalid regex pattern. ${regexp.message}`)
  }
  return changing(config, engineVersion, (text, document) => document.countText(regexp.replaceAll(text, replacement)))
}

/** `split`. */
export const split: ProcessorFactory = (config, { engineVersion }) => {
  const keepsEmpty = engineVersion !== 'Elasticsearch_6.8' && config.boolean('preserve_trailing', false)
  const regexp = compile(config.text('separator'))
  const field = config.text('field')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const target = config.text('target_field', field)
  return (document) => {
    const text = document.textToUse(field, ignoreMissing, 'split')
    if (text === undefined) return
    // Java compiles it when there is something to split.
    if (regexp instanceof IngestFault) throw regexp
    document.set(target, regexp.split(text, keepsEmpty ? -1 : 0))
    return undefined
  }
}

function compile(pattern: string): JavaRegExp | IngestFault {
  try {
    return new JavaRegExp(pattern)
  } catch (error) {
    if (error instanceof IngestFault) return error
    throw error
  }
}

/** `join`. */
export const join: ProcessorFactory = (config) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const target = config.text('target_field', field)
  return (document) => {
    const list = document.list(field)
    if (list === null) throw new IngestFault(`field [${field}] is null, cannot join.`)
    if (list.includes(null)) throw new IngestFault(ABSENT, 'null_pointer_exception')
    const texts = list.map(textOf)
    document.countCharacters(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
    document.set(target, texts.join(separator))
    return undefined
  }
}

const ABSENT = 'Cannot invoke "Object.toString()" because "<parameter1>" is null'
