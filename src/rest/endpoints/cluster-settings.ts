import {
  checkClusterSettings,
  defaultClusterSettings,
  deprecatedSettings,
  validateClusterSettings,
} from '../../engine/metadata/cluster-settings.ts'
import { flattenSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { exactDocument } from '../body/exact-json.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { checkBlockedSettings } from '../cluster-blocks.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { type EndpointRequest, lenientBody } from '../rest-request.ts'

const OVERRIDE = 'compatibility.override_main_response_version'

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
export const clusterPutSettings: EndpointHandler = async (request, context) => {
  const { engine } = context
  const body = lenientBody(request)
  const persistent = changesOf(body['persistent'])
  const transient = changesOf(body['transient'])
  if (Object.keys(persistent).length === 0 && Object.keys(transient).length === 0)
    throw validationFailed(['no settings to update'])
  checkBlockedSettings(persistent, transient, context)
  const { engineVersion } = request.dialect
  // Whatever is changed, all that are set before or after it are looked at.
  const before = [engine.persistentSettings, engine.transientSettings]
  const looked = [...before, persistent, transient].flatMap((settings) => deprecatedSettings(settings, engineVersion))
  for (const name of new Set(looked))
    request.warnings.note(engineVersion === 'Elasticsearch_6.8' ? 'older_setting' : 'setting', name)
  if (engineVersion === 'OpenSearch_2.19' && `${persistent[OVERRIDE] ?? transient[OVERRIDE]}` === 'true')
    request.warnings.note('overridden_version')
  validateClusterSettings(transient, 'transient', engineVersion)
  validateClusterSettings(persistent, 'persistent', engineVersion)
  const persistentSettings = changed(engine.persistentSettings, persistent)
  const transientSettings = changed(engine.transientSettings, transient)
  checkClusterSettings({ ...persistentSettings, ...transientSettings }, engineVersion)
  await engine.putClusterSettings(persistentSettings, transientSettings)
  // A setting that was reset is not shown.
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
  if (json === undefined || json === null) return {}
  if (isObject(json)) return flattenSettings(exactDocument(json))
  throw notAMap(json)
}

/** Settings with changes made to them; null resets a setting, or all that a pattern with `*` names. */
function changed(settings: FlatSettings, changes: FlatSettings): FlatSettings {
  const out: Record<string, FlatSettings[string]> = { ...settings }
  for (const [name, value] of Object.entries(changes)) {
    if (value !== null) out[name] = value
    else for (const known of Object.keys(out)) if (matchWildcard(name, known)) delete out[known]
  }
  return out
}
