import type { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EngineVersion } from '../engine-version.ts'
import { type FlatSettings, VERIFIED_BEFORE_CLOSE } from '../metadata/index-metadata.ts'
import { validateIndexSettings } from '../metadata/index-settings.ts'

/** Settings without which the documents would be others. */
const UNMODIFIABLE: ReadonlySet<string> = new Set([
  'index.number_of_shards',
  'index.version.created',
  'index.uuid',
  'index.creation_date',
  'index.history.uuid',
])
const UNREMOVABLE: ReadonlySet<string> = new Set([
  ...UNMODIFIABLE,
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.version.upgraded',
])

/** How a restore changes the settings of its indices. */
export interface SettingsChange {
  /** Put over those of the snapshot; flat, `index.`-prefixed. */
  readonly changes: FlatSettings
  /** Names and patterns of settings that are left behind. */
  readonly ignored: readonly string[]
}

/**
 * The settings of a restored index, but for its uuid. What this server does not know goes under `archived.`.
 *
 * @param refuse  makes the error of a reason
 * @throws {ServiceError} snapshot_restore_exception
 */
export function restoredSettings(
  settings: FlatSettings,
  { changes, ignored }: SettingsChange,
  version: EngineVersion,
  refuse: (reason: string) => ServiceError,
): FlatSettings {
  const word = (name: string): string =>
    version === 'OpenSearch_2.19' && name === 'index.number_of_shards' ? 'UnmodifiableOnRestore setting' : 'setting'
  const restored: Record<string, string | readonly string[] | null> = { ...settings }
  // It is open.
  delete restored[VERIFIED_BEFORE_CLOSE]
  for (const name of ignored) {
    if (!name.includes('*')) {
      if (UNREMOVABLE.has(name)) throw refuse(`cannot remove ${word(name)} [${name}] on restore`)
      delete restored[name]
    } else {
      for (const key of Object.keys(restored)) {
        if (!UNREMOVABLE.has(key) && matchWildcard(name, key)) delete restored[key]
      }
    }
  }
  for (const [name, value] of Object.entries(changes)) {
    if (UNMODIFIABLE.has(name)) throw refuse(`cannot modify ${word(name)} [${name}] on restore`)
    if (value === null) delete restored[name]
    else restored[isUsable(name, value, version) ? name : `archived.${name}`] = value
  }
  return restored
}

function isUsable(name: string, value: string | readonly string[], version: EngineVersion): boolean {
  try {
    validateIndexSettings({ [name]: value }, version)
    return true
  } catch {
    return false
  }
}
