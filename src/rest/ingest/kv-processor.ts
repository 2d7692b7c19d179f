import type { IngestDocument } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { JavaRegExp } from './java-regexp.ts'
import type { ProcessorFactory } from './processor.ts'
import { templateText } from './template-text.ts'

/** Brackets and quotes around a value, each by itself. */
const BRACKETS = /^[([<"']|[\])>"']$/g

/** `kv`: `a=1 b=2` as fields. */
export const kv: ProcessorFactory = (config, { engineVersion }) => {
  const isOpenSearch = engineVersion === 'OpenSearch_2.19'
  const path = (text: string) => (isOpenSearch ? templateText(text, config) : () => text)
  const field = path(config.text('field'))
  const given = config.optionalText('target_field')
  const target = given === undefined ? undefined : path(given)
  const fieldSplit = config.text('field_split')
  const valueSplit = config.text('value_split')
  const included = config.optionalList('include_keys')?.map(String)
  const excluded = config.optionalList('exclude_keys')?.map(String)
  const prefix = config.text('prefix', '')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const trimKey = trimmer(config.optionalText('trim_key'))
  const trimValue = trimmer(config.optionalText('trim_value'))
  const strips = config.boolean('strip_brackets', false)
  const fields = splitter(fieldSplit, isOpenSearch)
  const values = splitter(valueSplit, isOpenSearch)
  return (document) => {
    const name = field(document)
    if (isOpenSearch && !isThere(document, name)) {
      if (ignoreMissing) return
      throw new IngestFault(name === '' ? 'field path cannot be null nor empty' : `field [${name}] doesn't exist`)
    }
    const text = document.textToUse(name, ignoreMissing, 'extract key-value pairs')
    if (text === undefined) return
    const into = target?.(document)
    const within = into === undefined || (isOpenSearch && into === '') ? '' : `${into}.`
    for (const part of fields().split(text)) {
      const [left = '', right] = values().split(part, 2)
      if (right === undefined) throw new IngestFault(`field [${name}] does not contain value_split [${valueSplit}]`)
      const key = trimKey(left)
      if (included !== undefined && !included.includes(key)) continue
      if (excluded?.includes(key)) continue
      appendOrSet(document, `${within}${prefix}${key}`, trimValue(strips ? right.replace(BRACKETS, '') : right))
    }
    return undefined
  }
}

/**
 * A pattern. One of a letter, and any in OpenSearch, is compiled when there is something to split, as in the real server; kept then.
 *
 * @throws {IngestFault}
 */
function splitter(pattern: string, isLate: boolean): () => JavaRegExp {
  const isPlain = pattern.length < 2 || (pattern.length === 2 && pattern.startsWith('\\'))
  let compiled = isLate || isPlain ? undefined : new JavaRegExp(pattern)
  return () => {
    compiled ??= new JavaRegExp(pattern)
    return compiled
  }
}

/** Whether there is something at a path, which may be none. @throws {IngestFault} beyond a list's end */
function isThere(document: IngestDocument, path: string): boolean {
  return path !== '' && document.hasWithinLists(path)
}

function appendOrSet(document: IngestDocument, path: string, value: string): void {
  if (document.has(path)) document.append(path, value)
  else document.set(path, value)
}

function trimmer(letters: string | undefined): (text: string) => string {
  if (letters === undefined) return (text) => text
  const pattern = new JavaRegExp(`(^([${letters}]+))|([${letters}]+$)`)
  return (text) => pattern.replaceAll(text, '')
}
