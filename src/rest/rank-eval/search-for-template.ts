import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notXContent } from '../../json-fault.ts'
import { tokenName } from '../../token-name.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { ValueMap } from '../ingest/ingest-document.ts'
import { parsingException } from '../parsing-exception.ts'
import { compiled, fillTemplate } from '../search/search-template.ts'
import { type StoredScript, storedScript } from '../search/stored-script.ts'
import type { SearchJson } from './rated-request.ts'

/** A template that can be filled in. */
export interface CompiledTemplate {
  readonly script: StoredScript
  /** The name it is stored under. */
  readonly id: string | undefined
}

/**
 * Looks a template up and sees whether it can be one.
 *
 * @throws {ServiceError} resource_not_found_exception, illegal_argument_exception, general_script_exception (6.8), script_exception
 */
export function compileTemplate({ script }: SearchScript, context: RestContext, dialect: Dialect): CompiledTemplate {
  const id = script.kind === 'stored' ? script.id : undefined
  const found = script.kind === 'stored' ? storedScript(context.engine, script.id) : script
  if (found === undefined)
    throw new ServiceError('resource_not_found_exception', `unable to find script [${id}] in cluster state`)
  if (found.lang !== 'mustache') throw illegalArgument(`script_lang not supported [${found.lang}]`)
  compiled(found, id, dialect)
  return { script: found, id }
}

/**
 * The search that a template makes.
 *
 * @throws {ServiceError} not_x_content_exception; json_parse_exception, json_e_o_f_exception for what is no JSON; parsing_exception
 */
export function searchForTemplate({ script, id }: CompiledTemplate, params: ValueMap, dialect: Dialect): SearchJson {
  const text = fillTemplate(script, id, params, dialect)
  if (!text.trimStart().startsWith('{')) throw notXContent()
  const json: JsonValue = parseJson(text)
  if (isObject(json)) return json
  throw parsingException(`Expected [START_OBJECT] but found [${tokenName(json)}]`)
}
