import type { Engine } from '../../engine/engine.ts'
import { parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isMap, type Value } from '../ingest/ingest-document.ts'
import { jsonOf } from '../ingest/value-json.ts'
import { writeJson } from '../json/json-writer.ts'
import { parseJson } from '../parse-json.ts'

/** Namespace of stored scripts among what the engine keeps. */
export const STORED_SCRIPTS = 'stored_script'

/** A script under a name: a search template, or a script in Painless. */
export interface StoredScript {
  readonly lang: string
  readonly source: string
  /** `content_type`: how values are written into the template. */
  readonly options?: { readonly content_type: string }
}

const LANGUAGES = new Set(['mustache', 'painless'])

/** A stored script; undefined: there is none. */
export function storedScript(engine: Engine, id: string): StoredScript | undefined {
  return engine.extras.get(STORED_SCRIPTS, id) as StoredScript | undefined
}

/**
 * Reads the body of a script that is to be stored: `{"script":{…}}`, and in 6.8 also `{"template":…}` or a template by itself.
 *
 * @throws {ServiceError} parsing_exception, illegal_argument_exception for what cannot be stored
 */
export function readStoredScript(body: Buffer, dialect: Dialect): StoredScript {
  const json = parseJson(body)
  if (!isObject(json)) {
    throw new ServiceError('parsing_exception', `unexpected token [${tokenName(json)}], expected [{]`)
  }
  const values = parseLosslessJson(body.toString('utf8')) as { readonly [name: string]: Value }
  const [first] = Object.keys(json)
  if (first === undefined) return { lang: 'mustache', source: '' }
  if (first !== 'script') {
    if (!dialect.typed) throw new ServiceError('parsing_exception', `unexpected field [${first}], expected [script]`)
    const template: Value = first === 'template' ? (values[first] as Value) : (values as Value)
    return { lang: 'mustache', source: sourceText(template) }
  }
  const script = json['script']
  if (!isObject(script)) {
    throw new ServiceError('parsing_exception', `unexpected token [${tokenName(script)}], expected [{, <source>]`)
  }
  const { lang } = script
  const source = (values['script'] as { readonly [name: string]: Value })['source' in script ? 'source' : 'code']
  if (lang === undefined || lang === null) throw invalid('must specify lang for stored script')
  checkLanguage(String(lang))
  if (source === undefined || source === null) throw invalid('must specify source for stored script')
  if (source === '' && lang !== 'mustache') throw invalid('source cannot be empty')
  const type = contentType(script['options'])
  const isJson = typeof source !== 'string'
  return {
    lang: String(lang),
    source: sourceText(source),
    ...(isJson ? { options: JSON_OPTIONS } : type === undefined ? {} : { options: { content_type: type } }),
  }
}

const JSON_OPTIONS = { content_type: 'application/json; charset=UTF-8' }

function sourceText(value: Value): string {
  if (typeof value === 'string') return value
  if (isMap(value)) return writeJson(jsonOf(value))
  throw invalid('the source of a script is a text or an object')
}

function checkLanguage(lang: string): void {
  if (LANGUAGES.has(lang)) return
  const why = lang === 'expression' ? ': this domain speaks [painless], and [mustache] for search templates' : ''
  throw invalid(`unable to put stored script with unsupported lang [${lang}]${why}`)
}

function contentType(options: unknown): string | undefined {
  if (options === undefined || options === null) return undefined
  const entries = isObject(options) ? Object.entries(options) : []
  const illegal = entries.filter(([key]) => key !== 'content_type')
  if (!isObject(options) || illegal.length > 0) {
    const shown = entries.map(([key, value]) => `${key}=${String(value)}`).join(', ')
    throw invalid(`illegal compiler options [{${shown}}] specified`)
  }
  return entries[0] === undefined ? undefined : String(entries[0][1])
}

function invalid(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
