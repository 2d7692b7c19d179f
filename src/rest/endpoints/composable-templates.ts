import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import {
  COMPOSABLE_TEMPLATES,
  type ComposableTemplate,
  composedContents,
  type TemplateContents,
  winningTemplate,
} from '../../engine/metadata/composable-templates.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeStoredNames } from '../judge-stored.ts'
import type { JsonValue } from '../parse-json.ts'
import { ACKNOWLEDGED, bodyObject, type EndpointRequest, requiredBody } from '../rest-request.ts'
import { componentTemplates } from './component-templates.ts'
import { judgeTemplate } from './judge-names.ts'
import { namePatterns, readContents, renderContents, templateVersion } from './template-contents.ts'

/** All composable index templates, by name. */
export function composableTemplates({ engine }: RestContext): ReadonlyMap<string, ComposableTemplate> {
  return new Map([...engine.extras.entries(COMPOSABLE_TEMPLATES)] as (readonly [string, ComposableTemplate])[])
}

/** `PUT|POST /_index_template/<name>`. */
export const putIndexTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  const template = readTemplate(name, requiredBody(request), context)
  if (request.parameters.boolean('create', false) && composableTemplates(context).has(name))
    throw new ServiceError('illegal_argument_exception', `index template [${name}] already exists`)
  judgeTemplate(request, template.indexPatterns, aliasesOf(template, context))
  checkTemplate(request, template, context)
  judgeTemplate(request, composableTemplates(context).get(name)?.indexPatterns ?? [], [])
  await context.engine.extras.put(COMPOSABLE_TEMPLATES, name, template)
  return ACKNOWLEDGED
}

/** Aliases that a template gives, its components' among them. */
function aliasesOf(template: ComposableTemplate, context: RestContext): readonly string[] {
  const components = componentTemplates(context)
  return Object.keys(composedContents(template, (name) => components.get(name)).aliases)
}

/** `GET /_index_template[/<name>]`. */
export const getIndexTemplate: EndpointHandler = (request, context) => {
  const { name } = request.path
  const found = named(name, context)
  if (found.length === 0 && name !== undefined && !name.includes('*'))
    throw new ServiceError('resource_not_found_exception', `index template matching [${name}] not found`)
  return { status: 200, json: { index_templates: found.map(renderTemplate) } }
}

/** `HEAD /_index_template/<name>`. */
export const indexTemplateExists: EndpointHandler = (request, context) => ({
  status: named(request.path['name'], context).length > 0 ? 200 : 404,
  text: '',
})

/** `DELETE /_index_template/<name>`. */
export const deleteIndexTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  const found = named(name, context)
  if (found.length === 0 && name !== '*')
    throw new ServiceError('index_template_missing_exception', `index_template [${name}] missing`)
  for (const { indexPatterns } of found) judgeTemplate(request, indexPatterns, [])
  for (const template of found) await context.engine.extras.delete(COMPOSABLE_TEMPLATES, template.name)
  return ACKNOWLEDGED
}

/** `POST /_index_template/_simulate_index/<name>`: what an index of that name would be made with. */
export const simulateIndexTemplate: EndpointHandler = (request, context) => {
  judgeSimulation(request)
  const index = request.path['name'] as string
  const body = bodyObject(request)
  const templates = new Map(composableTemplates(context))
  const given = body === undefined ? undefined : readTemplate('simulate_template_', body, context)
  if (given !== undefined) {
    checkTemplate(request, given, context)
    templates.set(given.name, given)
  }
  const winner = winningTemplate(index, templates.values())
  if (winner === undefined) return { status: 200, json: {} }
  const others = [...templates.values()].filter(
    (other) => other !== winner && other.indexPatterns.some((pattern) => matchWildcard(pattern, index)),
  )
  const older = [...context.engine.templates.values()].filter(({ indexPatterns }) =>
    indexPatterns.some((pattern) => matchWildcard(pattern, index)),
  )
  return { status: 200, json: simulation(winner, [...older, ...others], context) }
}

/** `POST /_index_template/_simulate[/<name>]`: what a template, given or there already, comes to. */
export const simulateTemplate: EndpointHandler = (request, context) => {
  judgeSimulation(request)
  const { name } = request.path
  const body = bodyObject(request)
  const templates = composableTemplates(context)
  let template: ComposableTemplate | undefined
  if (body !== undefined) {
    template = readTemplate(name ?? 'simulate_template_', body, context)
    checkTemplate(request, template, context)
  } else if (name !== undefined) {
    template = templates.get(name)
    if (template === undefined) {
      throw new ServiceError('illegal_argument_exception', `unable to simulate template [${name}] that does not exist`)
    }
  }
  if (template === undefined)
    throw new ServiceError('illegal_argument_exception', 'template to be simulated must not be null')
  const { name: own, indexPatterns } = template
  const others = [...context.engine.templates.values(), ...templates.values()].filter(
    (other) => other.name !== own && overlap(other.indexPatterns, indexPatterns),
  )
  return { status: 200, json: simulation(template, others, context) }
}

/** It tells of any template that fits, and of what these are made of. @throws {Error} the access layer's denial */
function judgeSimulation(request: EndpointRequest): void {
  for (const folder of ['_template', '_index_template', '_component_template'])
    judgeStoredNames(request, folder, undefined, 'GET')
}

function simulation(
  template: ComposableTemplate,
  overlapping: readonly { readonly name: string; readonly indexPatterns: readonly string[] }[],
  context: RestContext,
): Json {
  const components = componentTemplates(context)
  const contents: TemplateContents = composedContents(template, (name) => components.get(name))
  return {
    template: renderContents(contents),
    overlapping: overlapping.map(({ name, indexPatterns }) => ({ name, index_patterns: indexPatterns })),
  }
}

const KEYS = new Set(['index_patterns', 'template', 'composed_of', 'priority', 'version', '_meta'])

function readTemplate(
  name: string,
  body: { readonly [name: string]: JsonValue },
  context: RestContext,
): ComposableTemplate {
  for (const key of Object.keys(body)) {
    if (key === 'data_stream' || key === 'allow_auto_create' || key === 'ignore_missing_component_templates')
      throw new ServiceError(
        'illegal_argument_exception',
        `[${key}] of an index template is not supported by this domain`,
      )
    if (!KEYS.has(key)) throw new ServiceError('x_content_parse_exception', `[index_template] unknown field [${key}]`)
  }
  const patterns = body['index_patterns']
  if (patterns === undefined) throw new ServiceError('illegal_argument_exception', 'Required [index_patterns]')
  const indexPatterns = (Array.isArray(patterns) ? patterns : [patterns]).map(String)
  if (indexPatterns.length === 0)
    throw new ServiceError('illegal_argument_exception', 'There must be at least one pattern, zero given')
  const { template, composed_of: parts, priority } = body
  if (priority !== undefined && priority !== null && Number(priority) < 0)
    throw new ServiceError('illegal_argument_exception', 'index template priority must be >= 0')
  return {
    name,
    indexPatterns,
    contents: template === undefined || template === null ? undefined : readContents(template, context),
    composedOf: parts === undefined || parts === null ? [] : (Array.isArray(parts) ? parts : [parts]).map(String),
    priority: templateVersion(priority),
    version: templateVersion(body['version']),
    meta: body['_meta'],
  }
}

/** @throws {ServiceError} invalid_index_template_exception, illegal_argument_exception */
function checkTemplate(
  request: EndpointRequest,
  { name, indexPatterns, composedOf, priority = 0 }: ComposableTemplate,
  context: RestContext,
): void {
  const components = componentTemplates(context)
  const missing = composedOf.filter((part) => !components.has(part))
  const invalid = (why: string): ServiceError =>
    new ServiceError('invalid_index_template_exception', `index_template [${name}] invalid, cause [${why}]`)
  if (missing.length > 0)
    throw invalid(`index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist`)
  const faults = [
    ...(name !== name.toLowerCase() ? ['name must be lower cased'] : []),
    ...(/[\s,#]/.test(name) ? ['name must not contain a space, comma or #'] : []),
    ...indexPatterns.flatMap((pattern) => [
      ...(pattern.includes(' ') ? [`index_patterns [${pattern}] must not contain a space`] : []),
      ...(pattern.startsWith('_') ? [`index_pattern [${pattern}] must not start with '_'`] : []),
      ...(/[\\/?"<>| ,]/.test(pattern)
        ? [`index_pattern [${pattern}] must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`]
        : []),
    ]),
  ]
  if (faults.length > 0) throw invalid(`Validation Failed: ${faults.map((fault, i) => `${i + 1}: ${fault};`).join('')}`)
  const rivals = [...composableTemplates(context).values()].filter(
    (other) => other.name !== name && (other.priority ?? 0) === priority && overlap(other.indexPatterns, indexPatterns),
  )
  if (rivals.length === 0) return
  for (const rival of rivals) judgeStoredNames(request, '_index_template', rival.name, 'GET')
  const listed = rivals.map((rival) => `${rival.name} => [${rival.indexPatterns.join(', ')}]`).join(',')
  throw new ServiceError(
    'illegal_argument_exception',
    `index template [${name}] has index patterns [${indexPatterns.join(', ')}] matching patterns from existing templates [${rivals.map((rival) => rival.name).join(',')}] with patterns (${listed}) that have the same priority [${priority}], multiple index templates may not match during index creation, please use a different priority`,
  )
}

/** Whether any name fits a pattern of each list. */
function overlap(left: readonly string[], right: readonly string[]): boolean {
  return left.some((a) => right.some((b) => patternsMeet(a, b)))
}

/** Whether some name fits both patterns. Row by row over the second one's ends, so that many stars cost no more than few. */
function patternsMeet(a: string, b: string): boolean {
  let below = new Array<boolean>(b.length + 2).fill(false)
  for (let i = a.length; i >= 0; i--) {
    const row = new Array<boolean>(b.length + 2).fill(false)
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) row[j] = true
      else if (a[i] === '*') row[j] = (below[j] as boolean) || (j < b.length && (row[j + 1] as boolean))
      else if (b[j] === '*') row[j] = (row[j + 1] as boolean) || (i < a.length && (below[j] as boolean))
      else row[j] = i < a.length && a[i] === b[j] && (below[j + 1] as boolean)
    }
    below = row
  }
  return below[0] as boolean
}

function named(expression: string | undefined, context: RestContext): ComposableTemplate[] {
  const patterns = namePatterns(expression)
  return [...composableTemplates(context).values()].filter(({ name }) => patterns.some((p) => matchWildcard(p, name)))
}

function renderTemplate(template: ComposableTemplate): Json {
  const { name, indexPatterns, contents, composedOf, priority, version, meta } = template
  return {
    name,
    index_template: {
      index_patterns: indexPatterns,
      ...(contents === undefined ? {} : { template: renderContents(contents) }),
      composed_of: composedOf,
      ...(priority === undefined ? {} : { priority }),
      ...(version === undefined ? {} : { version }),
      ...(meta === undefined ? {} : { _meta: meta as Json }),
    },
  }
}
