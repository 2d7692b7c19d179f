import {
  COMPONENT_TEMPLATES,
  COMPOSABLE_TEMPLATES,
  type ComponentTemplate,
  type ComposableTemplate,
} from '../../engine/metadata/composable-templates.ts'
import { validateIndexSettings } from '../../engine/metadata/index-settings.ts'
import { checkRefreshInterval } from '../../engine/metadata/refresh-interval.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { notingMapping } from '../deprecation/mapping-deprecations.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { checkTemplateForm } from '../indices/check-template-form.ts'
import { compositionFault } from '../indices/composition-fault.ts'
import { judgeTemplate } from '../indices/judge-names.ts'
import { checkAliasNames, mappingOf, namedBy, readTemplateBody, renderContents } from '../indices/template-contents.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeStoredNames } from '../judge-stored.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'

/** All component templates, by name. */
export function componentTemplates({ engine }: RestContext): ReadonlyMap<string, ComponentTemplate> {
  return new Map([...engine.extras.entries(COMPONENT_TEMPLATES)] as (readonly [string, ComponentTemplate])[])
}

/** `PUT|POST /_component_template/<name>`. */
export const putComponentTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  const { read, contents = {} } = readComponent(request)
  if (request.parameters.boolean('create', false) && componentTemplates(context).has(name))
    throw illegalArgument(`component template [${name}] already exists`)
  validateIndexSettings(contents.settings ?? {}, context.engine.version)
  checkRefreshInterval(contents.settings ?? {}, context.engine)
  mappingOf(contents, context, notingMapping(request.warnings))
  checkTemplateForm(name, [], context.engine.version)
  checkAliasNames(contents, context)
  // It is applied wherever the templates that it is part of are.
  for (const { indexPatterns } of usersOf([name], context))
    judgeTemplate(request, context, indexPatterns, Object.keys(contents.aliases ?? {}))
  const version = read['version'] as number | undefined
  const component: ComponentTemplate = { name, contents, version, meta: read['_meta'] }
  checkUsers(component, request, context)
  await context.engine.extras.put(COMPONENT_TEMPLATES, name, component)
  return ACKNOWLEDGED
}

/** Reads a component template from a body. @throws {ServiceError} x_content_parse_exception, parse_exception */
export const readComponent = (request: EndpointRequest): ReturnType<typeof readTemplateBody> =>
  readTemplateBody(request, 'component_template', {}, 'template')

/** `GET|HEAD /_component_template[/<name>]`. */
export const getComponentTemplate: EndpointHandler = (request, context) => {
  const { name } = request.path
  const found = namedBy(name, componentTemplates(context))
  if (found.length === 0 && name !== undefined && !name.includes('*'))
    throw new ServiceError('resource_not_found_exception', `component template matching [${name}] not found`)
  const status = found.length === 0 && name !== undefined ? 404 : 200
  return {
    status,
    json: { component_templates: found.map((one) => ({ name: one.name, component_template: renderComponent(one) })) },
  }
}

/** `DELETE /_component_template/<name>`. */
export const deleteComponentTemplate: EndpointHandler = async (request, context) => {
  const name = request.path['name'] as string
  if (await removeDamaged(request, context, `extra/${COMPONENT_TEMPLATES}/${name}`)) return ACKNOWLEDGED
  const found = namedBy(name, componentTemplates(context)).map((template) => template.name)
  if (found.length === 0 && name !== '*')
    throw new ServiceError('index_template_missing_exception', `index_template [${name}] missing`)
  const users = usersOf(found, context).map((template) => template.name)
  for (const user of users) judgeStoredNames(request, '_index_template', user, 'GET')
  if (users.length > 0) {
    throw illegalArgument(
      `component templates [${found.join(', ')}] cannot be removed as they are still in use by index templates [${users.join(', ')}]`,
    )
  }
  await Promise.all(found.map((template) => context.engine.extras.delete(COMPONENT_TEMPLATES, template)))
  return ACKNOWLEDGED
}

/** Refuses a component that does not go with the others of a template. @throws {ServiceError} illegal_argument_exception */
function checkUsers(component: ComponentTemplate, request: EndpointRequest, context: RestContext): void {
  const others = componentTemplates(context)
  const partOf = (name: string) => (name === component.name ? component : others.get(name))
  for (const template of usersOf([component.name], context)) {
    const cause = compositionFault(template, partOf, request, context)
    if (cause === undefined) continue
    const reason = `updating component template [${component.name}] results in invalid composable template [${template.name}] after templates are merged`
    throw illegalArgument(reason, cause)
  }
}

/** Index templates that component templates are part of. */
function usersOf(components: readonly string[], { engine }: RestContext): ComposableTemplate[] {
  return ([...engine.extras.entries(COMPOSABLE_TEMPLATES)] as [string, ComposableTemplate][])
    .map(([, template]) => template)
    .filter(({ composedOf = [] }) => composedOf.some((part) => components.includes(part)))
}

/** A component template, but for its name. */
export function renderComponent({ contents, version, meta }: ComponentTemplate): Json {
  return {
    template: renderContents(contents),
    ...(version === undefined ? {} : { version }),
    ...(meta === undefined ? {} : { _meta: meta as Json }),
  }
}
