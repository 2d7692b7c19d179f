import { randomBytes } from 'node:crypto'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { DEFAULT_TIMESTAMP_FIELD } from '../../engine/mapping/data-stream-timestamp.ts'
import { aliasesOfTemplate } from '../../engine/metadata/aliases-of-template.ts'
import {
  COMPOSABLE_TEMPLATES,
  type ComposableTemplate,
  composedAliases,
  composedContents,
  type TemplateContents,
  winningTemplate,
} from '../../engine/metadata/composable-templates.ts'
import { indexSettingsComplaints } from '../../engine/metadata/index-settings.ts'
import { checkRefreshInterval } from '../../engine/metadata/refresh-interval.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { inField } from '../../parse-fault.ts'
import { patternListsMeet } from '../../patterns-meet.ts'
import { notingMapping } from '../deprecation/mapping-deprecations.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { checkTemplateForm, isGlobalHidden } from '../indices/check-template-form.ts'
import { composedMapping, compositionFault } from '../indices/composition-fault.ts'
import { judgeTemplate } from '../indices/judge-names.ts'
import { streamsOf } from '../indices/make-data-stream.ts'
import { checkAliasNames, namedBy, readTemplateBody, renderContents } from '../indices/template-contents.ts'
import { isAllowed } from '../is-allowed.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeStoredNames } from '../judge-stored.ts'
import { parseMembers } from '../query-dsl/object-parser.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'
import { componentTemplates } from './component-templates.ts'

/** All composable index templates, by name. */
export function composableTemplates({ engine }: RestContext): ReadonlyMap<string, ComposableTemplate> {
  return new Map([...engine.extras.entries(COMPOSABLE_TEMPLATES)] as (readonly [string, ComposableTemplate])[])
}

/** `PUT|POST /_index_template/<name>`. */
export const putIndexTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  const template = readTemplate(name, request)
  checkNew(request, name, context)
  // Whoever makes an index by it sees what they say.
  for (const part of template.composedOf ?? []) judgeStoredNames(request, '_component_template', part, 'GET')
  const components = componentTemplates(context)
  judgeTemplate(
    request,
    context,
    template.indexPatterns,
    composedAliases(template, (part) => components.get(part)),
  )
  judgeTemplate(request, context, composableTemplates(context).get(name)?.indexPatterns ?? [])
  checkTemplate(request, template, context)
  await context.engine.extras.put(COMPOSABLE_TEMPLATES, name, template)
  return ACKNOWLEDGED
}

/** `GET|HEAD /_index_template[/<name>]`. */
export const getIndexTemplate: EndpointHandler = (request, context) => {
  const { name } = request.path
  const found = namedBy(name, composableTemplates(context))
  if (found.length === 0 && name !== undefined && !name.includes('*'))
    throw new ServiceError('resource_not_found_exception', `index template matching [${name}] not found`)
  const status = found.length === 0 && name !== undefined ? 404 : 200
  return {
    status,
    json: { index_templates: found.map((one) => ({ name: one.name, index_template: renderTemplate(one) })) },
  }
}

/** `DELETE /_index_template/<name>`. */
export const deleteIndexTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  if (await removeDamaged(request, context, `extra/${COMPOSABLE_TEMPLATES}/${name}`)) return ACKNOWLEDGED
  const found = namedBy(name, composableTemplates(context))
  if (found.length === 0 && name !== '*')
    throw new ServiceError('index_template_missing_exception', `index_template [${name}] missing`)
  for (const { indexPatterns } of found) judgeTemplate(request, context, indexPatterns)
  checkUnused(found, context)
  await Promise.all(found.map((template) => context.engine.extras.delete(COMPOSABLE_TEMPLATES, template.name)))
  return ACKNOWLEDGED
}

/** `POST /_index_template/_simulate_index/<name>`: what an index of that name would be made with. */
export const simulateIndexTemplate: EndpointHandler = (request, context) => {
  judgeSimulation(request)
  const index = request.path['name'] as string
  const given = request.body.length === 0 ? undefined : readTemplate(passingName('simulate_index_template_'), request)
  const templates = new Map(composableTemplates(context))
  if (given !== undefined) {
    checkTemplate(request, given, context)
    templates.set(given.name, given)
  }
  const winner = winningTemplate(index, templates.values())
  return { status: 200, json: winner === undefined ? {} : simulation(winner, index, context) }
}

/** `POST /_index_template/_simulate[/<name>]`: what a template, given or there already, comes to. */
export const simulateTemplate: EndpointHandler = (request, context) => {
  judgeSimulation(request)
  const { name } = request.path
  const index = passingName('simulate_template_index_')
  if (request.body.length > 0) {
    const template = readTemplate(name ?? passingName('simulate_template_'), request)
    checkNew(request, template.name, context)
    checkTemplate(request, template, context)
    return { status: 200, json: simulation(template, index, context) }
  }
  if (name === undefined)
    throw validationFailed(['either index name or index template body must be specified for simulation'])
  const template = composableTemplates(context).get(name)
  if (template !== undefined) return { status: 200, json: simulation(template, index, context) }
  throw illegalArgument(`unable to simulate template [${name}] that does not exist`)
}

/** What a template or an index is called that is only tried. */
const passingName = (prefix: string): string => `${prefix}${randomBytes(16).toString('base64url').toLowerCase()}`

/** It tells of any template that fits, and of what these are made of. @throws {Error} the access layer's denial */
function judgeSimulation(request: EndpointRequest): void {
  for (const folder of ['_template', '_index_template', '_component_template'])
    judgeStoredNames(request, folder, undefined, 'GET')
}

/** What a template comes to for an index, and the others, of either kind, whose patterns meet its own. */
function simulation(template: ComposableTemplate, index: string, context: RestContext): Json {
  const composed = contentsOf(template, context)
  const { mapping: _, settings, aliases } = composed
  const contents = { settings, aliases: aliasesOfTemplate(aliases, index) }
  const mapping = composedMapping(composed, context)
  const all = [...context.engine.templates.values(), ...composableTemplates(context).values()]
  const others = new Map(
    all
      .filter(
        ({ name, indexPatterns }) => name !== template.name && patternListsMeet(indexPatterns, template.indexPatterns),
      )
      .map(({ name, indexPatterns }) => [name, { name, index_patterns: indexPatterns }]),
  )
  return {
    template: renderContents(mapping === undefined ? contents : { ...contents, mapping }),
    overlapping: inJavaHashOrder([...others.keys()]).map((name) => others.get(name) as Json),
  }
}

function contentsOf(template: ComposableTemplate, context: RestContext): TemplateContents {
  const components = componentTemplates(context)
  return composedContents(template, (name) => components.get(name))
}

const MEMBERS = { index_patterns: 'texts', composed_of: 'texts', priority: 'long', data_stream: 'object' } as const

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String)

/**
 * Reads a template from a body.
 *
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception, action_request_validation_exception, parse_exception
 */
export function readTemplate(name: string, request: EndpointRequest): ComposableTemplate {
  const { read, contents } = readTemplateBody(request, 'index_template', MEMBERS, 'index_patterns')
  const { composed_of: parts, priority, version, _meta: meta, data_stream: dataStream } = read
  const indexPatterns = listOf(read['index_patterns'])
  if (indexPatterns.length === 0) throw illegalArgument('There must be at least one pattern, zero given')
  if ((priority as number) < 0) throw validationFailed(['index template priority must be >= 0'])
  if (isGlobalHidden(indexPatterns, contents?.settings))
    throw validationFailed(['global composable templates may not specify the setting index.hidden'])
  return {
    name,
    indexPatterns,
    contents,
    // Whose own contents were looked at is told to be made of no others.
    composedOf: parts === undefined ? (contents === undefined ? undefined : []) : listOf(parts),
    priority: priority as number | undefined,
    version: version as number | undefined,
    meta,
    ...(dataStream === undefined ? {} : { dataStream: readDataStream(dataStream) }),
  }
}

/** @throws {ServiceError} x_content_parse_exception */
function readDataStream(value: unknown): ComposableTemplate['dataStream'] {
  return inField('index_template', 'data_stream', () => {
    // Of the members it does not know it takes anything.
    const known = Object.fromEntries(Object.entries(value as object).filter(([key]) => key === 'timestamp_field'))
    const { timestamp_field: field } = parseMembers('data_stream_template', known, { timestamp_field: 'object' }, [])
    if (field === undefined) return { timestampField: DEFAULT_TIMESTAMP_FIELD }
    const { name } = inField('data_stream_template', 'timestamp_field', () =>
      parseMembers('timestamp_field', field, { name: 'text' }, ['name']),
    )
    return { timestampField: name as string }
  })
}

/** @throws {ServiceError} illegal_argument_exception where `create` is asked for what is there */
function checkNew(request: EndpointRequest, name: string, context: RestContext): void {
  if (request.parameters.boolean('create', false) && composableTemplates(context).has(name))
    throw illegalArgument(`index template [${name}] already exists`)
}

/** @throws {ServiceError} invalid_index_template_exception, illegal_argument_exception */
function checkTemplate(request: EndpointRequest, template: ComposableTemplate, context: RestContext): void {
  const { name, indexPatterns, composedOf = [], contents = {} } = template
  const components = componentTemplates(context)
  const missing = composedOf.filter((part) => !components.has(part))
  if (missing.length > 0) {
    throw new ServiceError(
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist]`,
    )
  }
  checkRivals(request, template, context)
  noteOlder(request, template, context)
  checkStreams(template, context)
  const { version } = context.engine
  checkTemplateForm(name, indexPatterns, version, indexSettingsComplaints(contents.settings ?? {}, version))
  checkRefreshInterval(contents.settings ?? {}, context.engine)
  checkAliasNames(contents, context)
  for (const alias of Object.keys(contents.aliases ?? {})) {
    if (indexPatterns.includes(alias)) {
      throw illegalArgument(`alias [${alias}] cannot be the same as any pattern in [${indexPatterns.join(', ')}]`)
    }
  }
  checkComposition(request, template, context)
}

function checkComposition(request: EndpointRequest, template: ComposableTemplate, context: RestContext): void {
  const { name, composedOf = [] } = template
  const parts = composedOf.length === 0 ? '' : `with component templates [${composedOf.join(', ')}] `
  const reason = `composable template [${name}] template after composition ${parts}is invalid`
  if (template.dataStream !== undefined && context.engine.version === 'Elasticsearch_7.10') {
    // Its smallest distribution, which has none of them, finds out when it reads what it wrote itself.
    const cause = new ServiceError('x_content_parse_exception', '[index_template] unknown field [data_stream]')
    throw illegalArgument(reason, cause)
  }
  const components = componentTemplates(context)
  const heard = notingMapping(request.warnings)
  const cause = compositionFault(template, (part) => components.get(part), request, context, heard)
  if (cause !== undefined) throw illegalArgument(reason, cause)
}

/** @throws {ServiceError} illegal_argument_exception where data streams would be left without a template */
function checkStreams({ name, indexPatterns, priority, dataStream }: ComposableTemplate, context: RestContext): void {
  const template = { name, indexPatterns, priority, dataStream } as ComposableTemplate
  const before = composableTemplates(context)
  const after = streamsOf(new Map(before).set(name, template).values(), context)
  const left = [...streamsOf(before.values(), context).keys()].filter((stream) => !after.has(stream))
  if (left.length === 0) return
  const without = dataStream === undefined ? ' and no data stream configuration' : ''
  throw illegalArgument(
    `composable template [${name}] with index patterns [${indexPatterns.join(', ')}], priority [${priority ?? 'null'}]${without} would cause data streams [${inJavaHashOrder(left).join(', ')}] to no longer match a data stream template`,
  )
}

/** @throws {ServiceError} illegal_argument_exception where data streams are made with templates that are to be removed */
function checkUnused(removed: readonly ComposableTemplate[], context: RestContext): void {
  const users = streamsOf(composableTemplates(context).values(), context)
  const names = removed.map(({ name }) => name)
  const streams = [...users].filter(([, template]) => names.includes(template.name)).map(([stream]) => stream)
  if (streams.length === 0) return
  throw illegalArgument(
    `unable to remove composable templates [${names.sort().join(', ')}] as they are in use by a data streams [${streams.join(', ')}]`,
  )
}

/** @throws {ServiceError} illegal_argument_exception where others of the same priority meet its patterns */
function checkRivals(
  request: EndpointRequest,
  { name, indexPatterns, priority = 0 }: ComposableTemplate,
  context: RestContext,
): void {
  const rivals = [...composableTemplates(context).values()].filter(
    (other) =>
      other.name !== name && (other.priority ?? 0) === priority && patternListsMeet(other.indexPatterns, indexPatterns),
  )
  if (rivals.length === 0) return
  for (const rival of rivals) judgeStoredNames(request, '_index_template', rival.name, 'GET')
  const listed = rivals.map((rival) => `${rival.name} => [${rival.indexPatterns.join(', ')}]`).join(',')
  throw illegalArgument(
    `index template [${name}] has index patterns [${indexPatterns.join(', ')}] matching patterns from existing templates [${rivals.map((rival) => rival.name).join(',')}] with patterns (${listed}) that have the same priority [${priority}], multiple index templates may not match during index creation, please use a different priority`,
  )
}

/** Notes the older templates that it takes the place of. */
function noteOlder(request: EndpointRequest, template: ComposableTemplate, { engine }: RestContext): void {
  noteOthers('older_templates', '_template', request, template, engine.templates.values())
}

/** Notes the composable templates that may take the place of an older one. */
export function noteNewer(request: EndpointRequest, template: NamedPatterns, context: RestContext): void {
  noteOthers('newer_templates', '_index_template', request, template, composableTemplates(context).values())
}

type NamedPatterns = Pick<ComposableTemplate, 'name' | 'indexPatterns'>

/** @param folder  where they are read: who may not is told of none */
function noteOthers(
  what: 'newer_templates' | 'older_templates',
  folder: string,
  request: EndpointRequest,
  { name, indexPatterns }: NamedPatterns,
  templates: Iterable<NamedPatterns>,
): void {
  const others = [...templates].filter(
    (other) =>
      patternListsMeet(other.indexPatterns, indexPatterns) &&
      isAllowed(() => judgeStoredNames(request, folder, other.name, 'GET')),
  )
  if (others.length === 0) return
  const names = others.map((template) => template.name).join(',')
  const patterns = others.map((template) => `${template.name} => [${template.indexPatterns.join(', ')}]`).join(',')
  request.warnings.note(what, name, `[${indexPatterns.join(', ')}]`, names, patterns, name)
}

/** An index template, but for its name. */
export function renderTemplate(template: ComposableTemplate): Json {
  const { indexPatterns, contents, composedOf, priority, version, meta, dataStream } = template
  return {
    index_patterns: indexPatterns,
    ...(contents === undefined ? {} : { template: renderContents(contents) }),
    ...(composedOf === undefined ? {} : { composed_of: composedOf }),
    ...(priority === undefined ? {} : { priority }),
    ...(version === undefined ? {} : { version }),
    ...(meta === undefined ? {} : { _meta: meta as Json }),
    ...(dataStream === undefined ? {} : { data_stream: { timestamp_field: { name: dataStream.timestampField } } }),
  }
}
