import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { defaultIndexSettings } from '../../engine/metadata/index-settings.ts'
import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { shapeSettings, shownSettings } from './indices-get.ts'

/** `GET [/<index>]/_settings[/<name>]`. */
export const indicesGetSettings: EndpointHandler = (request, context) => {
  const names = request.path['name']?.split(',').filter((name) => name !== '_all') ?? []
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_settings')
  const withDefaults = request.parameters.boolean('include_defaults', false)
  const json: Record<string, Json> = {}
  for (const index of indices) {
    const settings = pick(shownSettings(request, index), names)
    if (names.length > 0 && Object.keys(settings).length === 0 && !withDefaults) continue
    json[index.name] = {
      settings: shapeSettings(request, settings),
      ...(withDefaults
        ? {
            defaults: shapeSettings(request, pick(defaultIndexSettings(index.settings, context.engine.version), names)),
          }
        : {}),
    }
  }
  return { status: 200, json }
}

function pick(settings: FlatSettings, patterns: readonly string[]): FlatSettings {
  if (patterns.length === 0) return settings
  const kept = Object.entries(settings).filter(([name]) => patterns.some((pattern) => matchWildcard(pattern, name)))
  return Object.fromEntries(kept)
}
