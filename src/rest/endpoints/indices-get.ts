import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import { nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { defaultIndexSettings } from '../../engine/metadata/index-settings.ts'
import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { renderAliases } from '../indices/alias-body.ts'
import { expandIndices } from '../indices/index-names.ts'
import { includeTypeName } from '../indices/mapping-body.ts'
import { mappingJson } from '../indices/mapping-json.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** `GET|HEAD /<index>`. */
export const indicesGet: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '')
  const withDefaults = request.parameters.boolean('include_defaults', false)
  const json: Record<string, Json> = {}
  for (const index of indices) {
    json[index.name] = {
      aliases: renderAliases(index.aliases),
      mappings: renderMappings(request, index, index.mappings),
      settings: shapeSettings(request, shownSettings(request, index)),
      ...(withDefaults
        ? { defaults: shapeSettings(request, defaultIndexSettings(index.settings, context.engine.version)) }
        : {}),
      ...(index.dataStream === undefined ? {} : { data_stream: index.dataStream.name }),
    }
  }
  return { status: 200, json }
}

/** An index's settings as answers show them: with `human`, two of them in readable form, too. */
export function shownSettings({ parameters, dialect }: EndpointRequest, index: IndexMetadata): FlatSettings {
  const { 'index.number_of_routing_shards': _, ...others } = index.settings
  // Elasticsearch keeps it elsewhere.
  const settings = dialect.takesTypedPaths ? others : index.settings
  if (!parameters.boolean('human', false)) return settings
  return {
    ...settings,
    'index.creation_date_string': new Date(index.creationDate).toISOString(),
    'index.version.created_string': String(dialect.version['number']),
  }
}

/** Settings nested or, with `flat_settings`, as they are. */
export function shapeSettings(request: EndpointRequest, settings: IndexMetadata['settings']): Json {
  if (request.parameters.boolean('flat_settings', false)) {
    const names = Object.keys(settings).sort()
    return Object.fromEntries(names.map((name) => [name, settings[name] as Json]))
  }
  return nestSettings(settings) as Json
}

/** Mappings with or without their types. */
export function renderMappings(
  request: EndpointRequest,
  index: IndexMetadata,
  mappings: IndexMetadata['mappings'],
): Json {
  if (includeTypeName(request)) return mappingJson(mappings)
  const { [DEFAULT_TYPE]: _defaults, ...typed } = mappings
  const [first, ...more] = Object.values(typed)
  if (more.length > 0) {
    throw illegalArgument(
      `index [${index.name}] has more than one type [${Object.keys(typed).join(', ')}], include_type_name cannot be false`,
    )
  }
  return mappingJson(first ?? {})
}
