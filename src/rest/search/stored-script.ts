import type { Engine } from '../../engine/engine.ts'
import { parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import type { FindStoredScript } from '../../engine/search/script/search-script.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { isMap, type Value } from '../ingest/ingest-document.ts'
import { writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import { mayReadOne, type Rights } from '../judge-stored.ts'
import { parsingException } from '../parsing-exception.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'

/** Namespace of stored scripts among what the engine keeps. */
export const STORED_SCRIPTS = 'stored_script'

/** A script under a name: a search template, or a script in Painless. */
export interface StoredScript {
  readonly lang: string
  readonly source: string
  /** `content_type`: how values are written into the template. */
  readonly options?: { readonly content_type: string }
}

const LANGUAGES = new Set(['expression', 'mustache', 'painless'])

/** A stored script; undefined: there is none. */
export function storedScript(engine: Engine, id: string): StoredScript | undefined {
  return engine.extras.get(STORED_SCRIPTS, id) as StoredScript | undefined
}

/** Finds scripts for somebody who may run them all, and is told by faults what they say only where they may read them. */
export function scriptsFor(rights: Rights, engine: Engine): FindStoredScript {
  return (id) => {
    const found = storedScript(engine, id)
    return found === undefined ? undefined : { ...found, mayBeTold: () => mayReadOne(rights, '_scripts', id) }
  }
}

/** The tokens that members of a stored script may begin with; others are passed over. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  lang: ['VALUE_STRING'],
  source: ['VALUE_STRING', 'START_OBJECT'],
  code: ['VALUE_STRING', 'START_OBJECT'],
  options: ['START_OBJECT'],
}

/**
 * Reads the body of a script that is to be stored: `{"script":{…}}`, and in 6.8 also `{"template":…}` or a template by itself.
 *
 * @throws {ServiceError} parsing_exception, x_content_parse_exception, illegal_argument_exception for what cannot be stored
 */
export function readStoredScript(request: EndpointRequest): StoredScript {
  const unexpected = (token: string, wanted: string) =>
    parsingException(`unexpected token [${token}], expected [${wanted}]`)
  const json = bodyObject(request, (token) => unexpected(token, '{')) ?? {}
  const [first] = Object.keys(json)
  if (first === undefined) {
    request.warnings.note('empty_template')
    return { lang: 'mustache', source: '' }
  }
  const exactly = (): { readonly [name: string]: Value } =>
    parseLosslessJson(request.body.toString('utf8')) as { readonly [name: string]: Value }
  if (first !== 'script') {
    if (!request.dialect.typed)
      throw parsingException(`unexpected field [${first}], expected [script]`).at(json, first, 'name')
    const isTemplate = first === 'template'
    request.warnings.note(isTemplate ? 'template_alone' : 'script_alone')
    return { lang: 'mustache', source: sourceText(isTemplate ? (exactly()[first] as Value) : (exactly() as Value)) }
  }
  const script = json['script']
  if (!isObject(script)) throw unexpected(tokenName(script), '{, <source>').at(json, 'script')
  for (const [name, value] of Object.entries(script)) {
    const token = tokenName(value)
    if (Object.hasOwn(TOKENS, name) && !TOKENS[name]?.includes(token))
      throw parseFault(`[stored script source] ${name} doesn't support values of type: ${token}`).at(script, name)
  }
  const member = 'source' in script ? 'source' : 'code'
  if ('code' in script) request.warnings.note('stored_code')
  const { lang } = script
  const source = script[member]
  if (lang === undefined) throw illegalArgument('must specify lang for stored script')
  checkLanguage(String(lang))
  if (source === undefined) throw illegalArgument('must specify source for stored script')
  if (source === '' && lang !== 'mustache') throw illegalArgument('source cannot be empty')
  const type = contentType(script['options'])
  return {
    lang: String(lang),
    ...(typeof source === 'string'
      ? { source, ...(type === undefined ? {} : { options: { content_type: type } }) }
      : {
          source: sourceText((exactly()['script'] as { readonly [name: string]: Value })[member] as Value),
          options: JSON_OPTIONS,
        }),
  }
}

const JSON_OPTIONS = { content_type: 'application/json; charset=UTF-8' }

function sourceText(value: Value): string {
  if (typeof value === 'string') return value
  if (isMap(value)) return writeJson(printable(value))
  throw illegalArgument('the source of a script is a text or an object')
}

function checkLanguage(lang: string): void {
  if (LANGUAGES.has(lang)) return
  throw illegalArgument(`unable to put stored script with unsupported lang [${lang}]`)
}

function contentType(options: unknown = {}): string | undefined {
  const entries = Object.entries(options as object)
  if (entries.some(([key]) => key !== 'content_type')) {
    const shown = entries.map(([key, value]) => `${key}=${String(value)}`).join(', ')
    throw illegalArgument(`illegal compiler options [{${shown}}] specified`)
  }
  return entries[0] === undefined ? undefined : String(entries[0][1])
}
