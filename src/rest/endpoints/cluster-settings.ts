import { defaultClusterSettings, validateClusterSettings } from '../../engine/metadata/cluster-settings.ts'
import { flattenSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { type EndpointRequest, isObject, requiredBody } from '../rest-request.ts'
import { validationFailed } from './document-parameters.ts'

function shape(request: EndpointRequest, settings: FlatSettings): Json {
  return (request.parameters.boolean('flat_settings', false) ? settings : nestSettings(settings)) as Json
}

/** `GET /_cluster/settings`. */
export const clusterGetSettings: EndpointHandler = (request, { engine }) => {
  const { persistentSettings, transientSettings } = engine
  const set = new Set([...Object.keys(persistentSettings), ...Object.keys(transientSettings)])
  const defaults = Object.entries(defaultClusterSettings(engine.version)).filter(([name]) => !set.has(name))
  return {
    status: 200,
    json: {
      persistent: shape(request, persistentSettings),
      transient: shape(request, transientSettings),
      ...(request.parameters.boolean('include_defaults', false)
        ? { defaults: shape(request, Object.fromEntries(defaults)) }
        : {}),
    },
  }
}

/** `PUT /_cluster/settings`. */
export const clusterPutSettings: EndpointHandler = async (request, { engine }) => {
  const body = requiredBody(request)
  const persistent = changesOf(body['persistent'])
  const transient = changesOf(body['transient'])
  if (Object.keys(persistent).length === 0 && Object.keys(transient).length === 0)
    throw validationFailed(['no settings to update'])
  validateClusterSettings(persistent, 'persistent')
  validateClusterSettings(transient, 'transient')
  await engine.putClusterSettings(persistent, transient)
  // A setting that was reset shows its default no more than one never set.
  const shown = (changes: FlatSettings) =>
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
  return {
    status: 200,
    json: {
      acknowledged: true,
      persistent: shape(request, shown(persistent)),
      transient: shape(request, shown(transient)),
    },
  }
}

function changesOf(json: JsonValue | undefined): FlatSettings {
  return isObject(json) ? flattenSettings(json) : {}
}
