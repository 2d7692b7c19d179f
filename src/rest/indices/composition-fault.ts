import type { MappingListener } from '../../engine/mapping/types/parameter.ts'
import {
  type ComponentTemplate,
  type ComposableTemplate,
  composedContents,
  type TemplateContents,
} from '../../engine/metadata/composable-templates.ts'
import { checkRemovedSettings } from '../../engine/metadata/index-settings.ts'
import { faultOf, type ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkFilter } from './alias-filter.ts'
import { mappingOf } from './template-contents.ts'

/** The mapping of what a template comes to; undefined: none is given. @throws {ServiceError} for one that cannot be */
export function composedMapping(
  { settings, mapping }: TemplateContents,
  context: RestContext,
  heard?: MappingListener,
): TemplateContents['mapping'] | undefined {
  const isMapped = Object.keys(mapping).length > 0
  return mappingOf(isMapped ? { settings, mapping } : { settings }, context, heard)
}

/** What is wrong with what a template and its components come to; undefined: nothing. */
export function compositionFault(
  template: ComposableTemplate,
  component: (name: string) => ComponentTemplate | undefined,
  request: EndpointRequest,
  context: RestContext,
  heard?: MappingListener,
): ServiceError | undefined {
  let isComposed = false
  const fault = faultOf(() => {
    const contents = composedContents(template, component)
    isComposed = true
    checkRemovedSettings(contents.settings ?? {}, context.engine.version)
    for (const [alias, { filter }] of Object.entries(contents.aliases)) checkFilter(alias, filter, request, context)
    composedMapping(contents, context, heard)
  })
  if (fault === undefined || (isComposed && fault.type !== 'mapper_parsing_exception')) return fault
  const reason = `invalid composite mappings for [${template.name}]`
  return illegalArgument(reason, fault)
}
