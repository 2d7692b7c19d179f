import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { FlatSettings, IndexMetadata } from './index-metadata.ts'
import { indexSettingMutability, validateIndexSettings } from './index-settings.ts'

/** Settings that stand in every index's metadata without being settable. */
const GIVEN_AT_CREATION: ReadonlySet<string> = new Set(['index.uuid', 'index.creation_date', 'index.provided_name'])

/**
 * Settings of one index after an update, checked.
 *
 * Calls for several indices check them all first ({@link validateSettingsUpdate}), for the message names all.
 *
 * @param changes  flat, `index.`-prefixed; null resets a setting
 * @throws {ServiceError} illegal_argument_exception for unknown, static, final settings and bad values
 */
export function updateIndexSettings(
  metadata: IndexMetadata,
  changes: FlatSettings,
  options: { readonly preserveExisting: boolean; readonly engineVersion?: EngineVersion },
): FlatSettings {
  const version = options.engineVersion ?? engineVersionOf(metadata.settings)
  validateSettingsUpdate(changes, [metadata], version)
  return mergeSettings(metadata.settings, changes, options)
}

/** The version an index was made by, of its `index.version.created`. */
function engineVersionOf(settings: FlatSettings): EngineVersion {
  const id = Number(settings['index.version.created'])
  if (id >= 2 ** 27) return 'OpenSearch_2.19'
  return id >= 7_000_000 ? 'Elasticsearch_7.10' : 'Elasticsearch_6.8'
}

/**
 * Checks an update of settings against the indices it is for.
 *
 * @throws {ServiceError} illegal_argument_exception «Can't update non dynamic settings …», «final x setting …»
 */
export function validateSettingsUpdate(
  changes: FlatSettings,
  indices: readonly Pick<IndexMetadata, 'name' | 'uuid' | 'state'>[],
  version: EngineVersion,
): void {
  validateIndexSettings(changes, version, true)
  const names = Object.keys(changes).sort()
  const fixed = names.filter((name) => !name.includes('*') && indexSettingMutability(name, version) !== 'dynamic')
  if (fixed.length === 0) return
  const open = indices.filter(({ state }) => state === 'open')
  if (open.length > 0) {
    const list = open.map(({ name, uuid }) => `[${name}/${uuid}]`).join(', ')
    throw new ServiceError(
      'illegal_argument_exception',
      `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [${list}]`,
    )
  }
  const final = fixed.find((name) => indexSettingMutability(name, version) === 'final')
  if (final !== undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      `final ${indices[0]?.name ?? ''} setting [${final}], not updateable`,
    )
  }
}

/**
 * Settings after an update: a null removes a setting (names with `*` remove all that match).
 *
 * @param preserveExisting  settings that are there stay as they are
 */
export function mergeSettings(
  current: FlatSettings,
  changes: FlatSettings,
  options: { readonly preserveExisting: boolean } = { preserveExisting: false },
): FlatSettings {
  const merged: Record<string, string | readonly string[] | null> = { ...current }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) {
      const prefix = name.endsWith('*') ? name.slice(0, -1) : undefined
      for (const key of Object.keys(merged)) {
        if (key === name || (prefix !== undefined && key.startsWith(prefix) && !GIVEN_AT_CREATION.has(key))) {
          delete merged[key]
        }
      }
    } else if (!options.preserveExisting || merged[name] === undefined) merged[name] = value
  }
  return merged
}
