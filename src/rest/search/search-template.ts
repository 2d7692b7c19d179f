import { parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Value, ValueMap } from '../ingest/ingest-document.ts'
import { hashOrdered } from '../json/hash-ordered.ts'
import { writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { MustacheError, parseMustache } from './mustache-template.ts'
import { MUSTACHE_ENCODERS, renderMustache } from './render-mustache.ts'
import { type StoredScript, storedScript } from './stored-script.ts'

/** What `_search/template` and its kin are asked for. */
export interface SearchTemplate {
  /** A template that is stored, or one given with the request; undefined: none was named. */
  readonly script: { readonly id: string } | { readonly source: string } | undefined
  readonly params: ValueMap
  readonly explain: boolean
  readonly profile: boolean
}

/** Names of a template's text: the later two are older. */
const SOURCE_NAMES = new Set(['source', 'inline', 'template'])
const MEMBERS = [...SOURCE_NAMES, 'id', 'params', 'explain', 'profile']

/** Reads a search template's request; what stands behind it is not looked at. @throws {ServiceError} x_content_parse_exception, and for what is no JSON */
export function readSearchTemplate(
  body: Buffer | string,
  { dialect, warnings }: Pick<EndpointRequest, 'dialect' | 'warnings'>,
): SearchTemplate {
  if (body.toString().trim() === '') throw malformed('Expected START_OBJECT but was: null')
  const json: JsonValue = parseFirstJson(body, dialect.typed)
  if (!isObject(json)) throw malformed(`Expected START_OBJECT but was: ${tokenName(json)}`)
  // Numbers keep their digits: they are written into the template as they came.
  const values = parseLosslessJson(body.toString()) as ValueMap
  let script: SearchTemplate['script']
  let params: ValueMap = {}
  const flags = { explain: false, profile: false }
  for (const [key, value] of Object.entries(json)) {
    const unfit = (): ServiceError => malformed(`${key} doesn't support values of type: ${tokenName(value)}`)
    if (SOURCE_NAMES.has(key)) {
      if (typeof value !== 'string' && !isObject(value)) throw unfit()
      if (key !== 'source') warnings.note('template_source', key)
      script = { source: typeof value === 'string' ? value : writeJson(printable(values[key] as Value)) }
    } else if (key === 'id') {
      if (typeof value !== 'string') throw unfit()
      script = { id: value }
    } else if (key === 'params') {
      if (!isObject(value)) throw unfit()
      params = hashOrdered(values[key] as ValueMap) as ValueMap
    } else if (key === 'explain' || key === 'profile') {
      if (value !== true && value !== false && value !== 'true' && value !== 'false') throw unfit()
      flags[key] = String(value) === 'true'
    } else throw unknownField('search_template', key, dialect.typed, MEMBERS)
  }
  return { script, params, ...flags }
}

function malformed(reason: string): ServiceError {
  return parseFault(`[search_template] ${reason}`)
}

/** What is missing of a template. */
export function templateComplaints({ script }: SearchTemplate): string[] {
  if (script === undefined) return ['template is missing', "template's script type is missing"]
  return 'source' in script && script.source === '' ? ['template is missing'] : []
}

/**
 * The search that a template makes of its parameters, as text.
 *
 * @throws {ServiceError} resource_not_found_exception, general_script_exception (6.8), script_exception
 */
export function renderSearchTemplate(template: SearchTemplate, context: RestContext, dialect: Dialect): string {
  const { script, params } = template
  if (script === undefined) return ''
  if ('source' in script) return fillTemplate({ lang: 'mustache', source: script.source }, undefined, params, dialect)
  const stored = storedScript(context.engine, script.id)
  if (stored === undefined)
    throw new ServiceError('resource_not_found_exception', `unable to find script [${script.id}] in cluster state`)
  return fillTemplate(stored, script.id, params, dialect)
}

/** A template with its parameters. @throws {ServiceError} as {@link renderSearchTemplate} */
export function fillTemplate(script: StoredScript, id: string | undefined, params: ValueMap, dialect: Dialect): string {
  const type = script.options?.content_type ?? 'application/json'
  const encode = Object.hasOwn(MUSTACHE_ENCODERS, type) ? MUSTACHE_ENCODERS[type] : undefined
  if (encode === undefined) {
    const cause = illegalArgument(`No encoder found for MIME type [${type}]`)
    throw uncompiled(script, id, cause)
  }
  const parts = compiled(script, id, dialect)
  try {
    return renderMustache(parts, [params], encode)
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    const cause = new ServiceError('mustache_exception', error.message)
    throw new ServiceError('general_script_exception', `Error running ${id ?? script.source}`, { cause })
  }
}

/** A template's parts. @throws {ServiceError} general_script_exception (6.8), script_exception */
export function compiled(script: StoredScript, id: string | undefined, dialect: Dialect) {
  try {
    return parseMustache(script.source)
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    if (dialect.typed) throw uncompiled(script, id, new ServiceError('mustache_exception', error.message))
    const cause = new ServiceError('mustache_exception', error.laterMessage)
    const metadata = { script_stack: [], script: script.source, lang: script.lang }
    throw new ServiceError('script_exception', error.laterMessage, { cause, metadata })
  }
}

function uncompiled(script: StoredScript, id: string | undefined, cause: ServiceError): ServiceError {
  const name = id === undefined ? `inline script [${script.source}]` : `stored script [${id}]`
  return new ServiceError('general_script_exception', `Failed to compile ${name} using lang [${script.lang}]`, {
    cause,
  })
}
