import type { IndexTemplate } from '../../engine/engine.ts'
import { openMapping } from '../../engine/indices/open-mapping.ts'
import { parseJavaInteger } from '../../engine/java/java-number.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import { checkSortSettings } from '../../engine/metadata/check-sort-settings.ts'
import { checkRoutingShards } from '../../engine/metadata/create-index-settings.ts'
import { flattenIndexSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import { validateIndexSettings } from '../../engine/metadata/index-settings.ts'
import { checkRefreshInterval } from '../../engine/metadata/refresh-interval.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { validateTypeName } from '../../engine/metadata/validate-type-name.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { contentMap } from '../body/content-map.ts'
import { exactDocument } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { noteSettings } from '../deprecation/index-deprecations.ts'
import { notingMapping } from '../deprecation/mapping-deprecations.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { readAliases, renderAliases } from '../indices/alias-body.ts'
import { checkTemplateForm, isGlobalHidden } from '../indices/check-template-form.ts'
import { judgeTemplate } from '../indices/judge-names.ts'
import { includeTypeName, readMappings } from '../indices/mapping-body.ts'
import type { Json } from '../json/json-writer.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'
import { noteNewer } from './composable-templates.ts'
import { shapeSettings } from './indices-get.ts'

/** `PUT|POST /_template/<name>`. */
export const indicesPutTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  includeTypeName(request)
  const template = readTemplate(request, name, templateBody(request))
  const isThere = request.parameters.boolean('create', false) && context.engine.templates.has(name)
  // 6.x looks no further.
  if (!isThere || !request.dialect.typed) checkTemplate(template, request, context)
  judgeTemplate(request, context, template.indexPatterns, Object.keys(template.aliases))
  // The one that it replaces is gone for the indices it was for.
  judgeTemplate(request, context, context.engine.templates.get(name)?.indexPatterns ?? [])
  if (isThere) {
    throw illegalArgument(`index_template [${name}] already exists`)
  }
  await context.engine.putTemplate(template)
  noteNewer(request, template, context)
  if (template.mappings[DEFAULT_TYPE] !== undefined) request.warnings.note('default_mapping')
  return ACKNOWLEDGED
}

/** `GET|HEAD /_template[/<name>]`. */
export const indicesGetTemplate: EndpointHandler = (request, context) => {
  if (!request.dialect.typed) request.parameters.boolean('include_type_name', false)
  const { name } = request.path
  const templates = named(name, context)
  if (templates.length === 0 && name !== undefined) {
    return { status: 404, json: {} }
  }
  return { status: 200, json: Object.fromEntries(templates.map((t) => [t.name, renderTemplate(request, t)])) }
}

/** `DELETE /_template/<name>`. */
export const indicesDeleteTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  if (await removeDamaged(request, context, `template/${name}`)) return ACKNOWLEDGED
  const found = [...context.engine.templates.keys()].filter((template) => matchWildcard(name, template))
  if (found.length === 0 && name !== '*') {
    throw new ServiceError('index_template_missing_exception', `index_template [${name}] missing`)
  }
  for (const template of found)
    judgeTemplate(request, context, context.engine.templates.get(template)?.indexPatterns ?? [])
  await Promise.all(found.map((template) => context.engine.deleteTemplate(template)))
  return ACKNOWLEDGED
}

function named(expression: string | undefined, context: RestContext): IndexTemplate[] {
  const patterns = expression === undefined || expression === '_all' ? ['*'] : expression.split(',')
  return [...context.engine.templates.values()].filter(({ name }) => patterns.some((p) => matchWildcard(p, name)))
}

function templateBody(request: EndpointRequest): { readonly [name: string]: JsonValue } {
  const body = contentMap(request)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body is required')
  return body
}

function readTemplate(
  request: EndpointRequest,
  name: string,
  body: { readonly [name: string]: JsonValue },
): IndexTemplate {
  const { parameters } = request
  let order = parameters.integer('order', 0)
  let version: number | undefined
  let indexPatterns: readonly string[] = parameters.list('index_patterns') ?? parameters.list('template') ?? []
  let settings: IndexTemplate['settings'] = {}
  let mappings: IndexTemplate['mappings'] = {}
  let aliases: IndexTemplate['aliases'] = {}
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case 'template':
        if (typeof value !== 'string') break
        request.warnings.note('template_field')
        // The real server's map has it before the other, which is taken.
        if (body['index_patterns'] === undefined) indexPatterns = [value]
        break
      case 'index_patterns':
        if (typeof value === 'string') indexPatterns = [value]
        else if (Array.isArray(value) && !value.includes(null)) indexPatterns = value.map(String)
        else throw illegalArgument('Malformed [template] value, should be a string or a list of strings')
        break
      case 'order':
        order = integer(value, 0)
        break
      case 'version':
        if (typeof value !== 'number' || !Number.isInteger(value)) {
          throw illegalArgument('Malformed [version] value, should be an integer')
        }
        version = value
        break
      case 'settings':
        if (!isObject(value)) throw illegalArgument('Malformed [settings] section, should include an inner object')
        settings = flattenIndexSettings(exactDocument(value))
        break
      case 'mappings':
        mappings = readMappings(request, value)
        break
      case 'aliases':
        aliases = Object.fromEntries(
          // Such a template does not keep which index is written to.
          Object.entries(readAliases(value)).map(([alias, { isWriteIndex: _, ...kept }]) => [alias, kept]),
        )
        break
      default:
        throw new ServiceError('parse_exception', `unknown key [${key}] in the template `)
    }
  }
  return { name, order, version, indexPatterns, settings, mappings, aliases }
}

function integer(value: JsonValue, fallback: number): number {
  if (value === null) return fallback
  if (typeof value === 'number' && !Number.isInteger(value))
    throw illegalArgument(`${javaText(value)} is not an integer value`)
  const text = javaText(value)
  const number = parseJavaInteger(text, 32)
  if (number === undefined) throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  return Number(number)
}

/** @throws {ServiceError} action_request_validation_exception, invalid_index_template_exception, … */
function checkTemplate(
  { name, indexPatterns, settings, mappings, aliases }: IndexTemplate,
  request: EndpointRequest,
  context: RestContext,
): void {
  const { version } = context.engine
  if (indexPatterns.length === 0) {
    throw new ServiceError('action_request_validation_exception', 'Validation Failed: 1: index patterns are missing;')
  }
  const hidden = version !== 'Elasticsearch_6.8' && isGlobalHidden(indexPatterns, settings)
  const further = hidden ? ['global templates may not specify the setting index.hidden'] : []
  // Names of settings are looked at before all that is told together.
  validateIndexSettings(settings, version)
  checkTemplateForm(name, indexPatterns, version, further)
  checkRefreshInterval(settings, context.engine)
  checkSortSettings(settings)
  checkRoutingShards(settings, version)
  for (const [alias, { indexRouting }] of Object.entries(aliases)) {
    validateAlias(alias, indexRouting, undefined, version)
    if (indexPatterns.includes(alias)) {
      throw illegalArgument(`Alias [${alias}] cannot be the same as any pattern in [${indexPatterns.join(', ')}]`)
    }
  }
  for (const type of Object.keys(mappings)) validateTypeName(type)
  // An index as it would be made tells what is wrong with analyzers and mappings.
  noteSettings(settings, request.warnings)
  const heard = notingMapping(request.warnings)
  openMapping({ settings, mappings }, { dataDir: context.dataDir, engineVersion: version, heard })
}

function renderTemplate(request: EndpointRequest, template: IndexTemplate): Json {
  const { order, version, indexPatterns, settings, mappings, aliases } = template
  const typed = includeTypeName(request)
  return {
    order,
    ...(version === undefined ? {} : { version }),
    index_patterns: indexPatterns,
    settings: request.parameters.boolean('flat_settings', false)
      ? shapeSettings(request, settings)
      : (nestSettings(settings) as Json),
    mappings: (typed ? mappings : (Object.values(mappings)[0] ?? {})) as Json,
    aliases: renderAliases(aliases),
  }
}
