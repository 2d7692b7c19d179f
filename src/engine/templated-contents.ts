import type { CreateIndexRequest, ExtraStore, IndexTemplate } from './engine.ts'
import { applyTemplates, type IndexContents } from './metadata/apply-templates.ts'
import {
  COMPONENT_TEMPLATES,
  COMPOSABLE_TEMPLATES,
  type ComponentTemplate,
  type ComposableTemplate,
  composedContents,
  laidOver,
  winningTemplate,
} from './metadata/composable-templates.ts'

/**
 * What an index is made with: the request over the templates for its name, which are the composable one that wins, or else
 * all of the older kind that match.
 */
export function templatedContents(
  name: string,
  request: CreateIndexRequest,
  templates: Iterable<IndexTemplate>,
  extras: ExtraStore,
): IndexContents {
  const composable = [...extras.entries(COMPOSABLE_TEMPLATES)].map(([, value]) => value as ComposableTemplate)
  const winner = winningTemplate(name, composable)
  if (winner === undefined) return applyTemplates(name, request, templates)
  const component = (part: string) => extras.get(COMPONENT_TEMPLATES, part) as ComponentTemplate | undefined
  const [type = '_doc'] = Object.keys(request.mappings)
  const { settings, aliases } = request
  const mapping = request.mappings[type] ?? {}
  const contents = laidOver(composedContents(winner, component), { settings, mapping, aliases })
  const isMapped = Object.keys(contents.mapping).length > 0 || request.mappings[type] !== undefined
  return {
    settings: contents.settings,
    mappings: isMapped ? { [type]: contents.mapping } : {},
    aliases: Object.fromEntries(
      Object.entries(contents.aliases).map(([alias, metadata]) => [alias.replaceAll('{index}', name), metadata]),
    ),
  }
}
