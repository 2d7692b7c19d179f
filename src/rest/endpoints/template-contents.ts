import type { TemplateContents } from '../../engine/metadata/composable-templates.ts'
import { flattenIndexSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import { validateIndexSettings } from '../../engine/metadata/index-settings.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { isObject } from '../rest-request.ts'
import { readAliases, renderAliases } from './alias-body.ts'

/** Reads `template` of a component or index template. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
export function readContents(json: JsonValue, context: RestContext): Partial<TemplateContents> {
  if (!isObject(json))
    throw new ServiceError('x_content_parse_exception', "[template] template doesn't support values of this type")
  const contents: { -readonly [K in keyof TemplateContents]?: TemplateContents[K] } = {}
  for (const [key, value] of Object.entries(json)) {
    if (key === 'settings' && isObject(value)) {
      contents.settings = flattenIndexSettings(value)
      validateIndexSettings(contents.settings, context.engine.version)
    } else if (key === 'mappings' && isObject(value)) {
      const { _doc: typed } = value
      contents.mapping = isObject(typed) && Object.keys(value).length === 1 ? typed : value
    } else if (key === 'aliases' && isObject(value)) {
      contents.aliases = readAliases(value)
      for (const [alias, { indexRouting }] of Object.entries(contents.aliases))
        validateAlias(alias, indexRouting, undefined, context.engine.version)
    } else if (!['settings', 'mappings', 'aliases'].includes(key)) {
      throw new ServiceError('x_content_parse_exception', `[template] unknown field [${key}]`)
    } else if (value !== null) {
      throw new ServiceError('x_content_parse_exception', `[template] ${key} doesn't support values of this type`)
    }
  }
  return contents
}

/** `template` of an answer. */
export function renderContents({ settings, mapping, aliases }: Partial<TemplateContents>): Json {
  return {
    ...(settings === undefined ? {} : { settings: nestSettings(settings) as Json }),
    ...(mapping === undefined ? {} : { mappings: mapping as Json }),
    ...(aliases === undefined ? {} : { aliases: renderAliases(aliases) }),
  }
}

/** `version` of a template. */
export function templateVersion(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  const version = Number(value)
  if (Number.isInteger(version)) return version
  throw new ServiceError('illegal_argument_exception', `For input string: "${String(value)}"`)
}

/** Names a request's path gives, as patterns. */
export function namePatterns(expression: string | undefined): readonly string[] {
  return expression === undefined || expression === '_all' ? ['*'] : expression.split(',')
}
