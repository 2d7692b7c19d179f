import { parseSizeSetting } from '../../engine/metadata/setting-value.ts'
import { ServiceError } from '../../errors.ts'
import { textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A processor that makes something of a text. */
function ofText(change: (text: string) => Value): ProcessorFactory {
  return (config) => changing(config, change)
}

function changing(config: ProcessorConfig, change: (text: string) => Value): ReturnType<ProcessorFactory> {
  const field = config.text('field')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const target = config.text('target_field', field)
  return (document) => {
    if (ignoreMissing && !document.has(field)) return
    const text = document.text(field)
    if (text === null) {
      if (ignoreMissing) return
      throw new IngestFault(`field [${field}] is null, cannot process it.`)
    }
    document.set(target, change(text))
    return undefined
  }
}

/** `lowercase`. */
export const lowercase = ofText((text) => text.toLowerCase())

/** `uppercase`. */
export const uppercase = ofText((text) => text.toUpperCase())

/** `trim`: Java's, of everything up to the blank. */
export const trim = ofText((text) => text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, ''))

/** `urldecode`. */
export const urlDecode = ofText((text) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new IngestFault('could not URL-decode value.')
  }
})

/** `bytes`: a size in words as its number of bytes. */
export const bytes = ofText((text) => {
  try {
    return parseSizeSetting('Ingest Field', text)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new IngestFault(
      `failed to parse setting [Ingest Field] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
      'parse_exception',
    )
  }
})

/** `gsub`. */
export const gsub: ProcessorFactory = (config) => {
  const pattern = config.text('pattern')
  const written = config.text('replacement')
  const replacement = javaReplacement(written)
  const regexp = compile(pattern)
  if (regexp instanceof IngestFault) {
    // The faulty pattern is told before the field's own mistakes.
    config.text('field')
    throw config.fault('pattern', `Invalid regex pattern. ${regexp.message}`)
  }
  const absent = absentGroup(written, regexp)
  return changing(config, (text) => {
    if (absent !== undefined && text.search(regexp) >= 0)
      throw new IngestFault(`No group ${absent}`, 'index_out_of_bounds_exception')
    return text.replace(regexp, replacement)
  })
}

/** `split`. */
export const split: ProcessorFactory = (config) => {
  const regexp = compile(config.text('separator'))
  return changing(config, (text) => {
    if (regexp instanceof IngestFault) throw regexp
    return javaSplit(text, regexp)
  })
}

/** `join`. */
export const join: ProcessorFactory = (config) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const target = config.text('target_field', field)
  return (document) => {
    const list = document.list(field)
    if (list === null) throw new IngestFault(`field [${field}] is null, cannot join.`)
    if (list.includes(null)) throw new IngestFault('null', 'null_pointer_exception')
    document.set(target, list.map(textOf).join(separator))
    return undefined
  }
}

/** Java's split: empty texts at the end are left out, and a match of nothing at the beginning splits nothing off. */
function javaSplit(text: string, regexp: RegExp): string[] {
  if (text === '') return ['']
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(regexp)) {
    const at = match.index
    if (match[0] === '' && (at === 0 || at === text.length)) continue
    parts.push(text.slice(from, at))
    from = at + match[0].length
  }
  if (parts.length === 0) return [text]
  parts.push(text.slice(from))
  while (parts.at(-1) === '') parts.pop()
  return parts
}

/** A regular expression as Java reads it, as far as both languages agree. */
function compile(pattern: string): RegExp | IngestFault {
  const flags = /^\(\?([ims]+)\)/.exec(pattern)
  const body = (flags === null ? pattern : pattern.slice(flags[0].length))
    .replaceAll('\\A', '^')
    .replaceAll(/\\[zZ]/g, '$')
    .replaceAll('\\h', '[ \\t]')
    .replaceAll(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, quoted: string) => quoted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  try {
    return new RegExp(body, `g${flags?.[1] ?? ''}`)
  } catch (error) {
    return new IngestFault(
      `${reasonOf(error as Error)} near index ${pattern.length}\n${pattern}`,
      'pattern_syntax_exception',
    )
  }
}

function reasonOf({ message }: Error): string {
  if (/Unterminated group/.test(message)) return 'Unclosed group'
  if (/Unterminated character class/.test(message)) return 'Unclosed character class'
  if (/Unmatched '\)'/.test(message)) return "Unmatched closing ')'"
  if (/Nothing to repeat/.test(message)) return 'Dangling meta character'
  return 'Illegal pattern'
}

/** The first group that a replacement speaks of and its pattern does not have; Java finds out when there is a match. */
function absentGroup(replacement: string, regexp: RegExp): string | undefined {
  const groups = (new RegExp(`${regexp.source}|`, regexp.flags).exec('')?.length ?? 1) - 1
  const named = [...replacement.matchAll(/\\[\s\S]|\$(\d)/g)].map(([, digit]) => digit)
  return named.find((digit) => digit !== undefined && Number(digit) > groups)
}

/** Java's replacement (`$1`, `${name}`, `\$`) as JavaScript's. */
function javaReplacement(text: string): string {
  return text.replace(
    /\\([\s\S])|\$\{(\w+)\}|\$(?!\d)/g,
    (whole, letter: string | undefined, name: string | undefined) => {
      if (letter !== undefined) return letter === '$' ? '$$' : letter
      return name === undefined ? `$${whole}` : `$<${name}>`
    },
  )
}
