import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import type { FlatSettings, IndexMetadata } from './index-metadata.ts'
import {
  INDEX_SETTING_GROUPS,
  INDEX_SETTING_TABLE,
  type IndexSettingRow,
  MODERN_DEFAULTS,
  OWN_ROWS,
  PRIVATE_INDEX_SETTINGS,
  type SettingMutability,
} from './index-setting-table.ts'
import { checkSettingValue } from './setting-value.ts'
import { closestNames } from './similar-name.ts'
import { checkStoreType } from './store-type.ts'
import { parseTimeMs } from './time-value.ts'

const ROWS: ReadonlyMap<string, IndexSettingRow> = new Map(INDEX_SETTING_TABLE.map((row) => [row[0], row]))

const rowOf = (name: string, version: EngineVersion): IndexSettingRow | undefined =>
  OWN_ROWS[version]?.find(([own]) => own === name) ?? ROWS.get(name)

function isKnownTo([, , , , since]: IndexSettingRow, version: EngineVersion): boolean {
  if (since === undefined) return true
  if (since === 'legacy') return version === 'Elasticsearch_6.8'
  return since === 'modern' ? version !== 'Elasticsearch_6.8' : version === 'OpenSearch_2.19'
}

/** When a setting can change; undefined when there is no such setting. */
function indexSettingMutability(name: string, version: EngineVersion): SettingMutability | undefined {
  const row = rowOf(name, version)
  if (row !== undefined) return isKnownTo(row, version) ? row[1] : undefined
  // Lists can be given element by element: `index.query.default_field.0`.
  const list = ROWS.get(name.replace(/\.\d+$/, ''))
  if (list !== undefined && list[3].kind === 'list') return list[1]
  return INDEX_SETTING_GROUPS.find(([prefix]) => name.startsWith(prefix) && name.length > prefix.length)?.[1]
}

/**
 * Checks settings of a new index or of an update: names, values, and that none is the server's own.
 *
 * @param settings  flat, `index.`-prefixed ({@link "flatten-settings.ts"})
 * @throws {ServiceError} illegal_argument_exception for the first fault in order of names, which suppresses the others;
 *   validation_exception
 */
export function validateIndexSettings(settings: FlatSettings, version: EngineVersion, isUpdate = false): void {
  const [first, ...others] = settingFaults(settings, version, isUpdate)
  if (first !== undefined) throw others.length === 0 ? first : suppressing(first, others)
  // An index that is there may be told of what was removed in vain.
  if (isUpdate) return
  checkRemovedSettings(settings, version)
  const own = privateComplaints(settings, version)
  if (own.length > 0) {
    const listed = own.map((complaint, i) => `${i + 1}: ${complaint};`).join('')
    throw new ServiceError('validation_exception', `Validation Failed: ${listed}`)
  }
}

/** @throws {ServiceError} illegal_argument_exception for a setting that older versions had */
export function checkRemovedSettings(settings: FlatSettings, version: EngineVersion): void {
  if (version !== 'Elasticsearch_6.8' && 'index.mapper.dynamic' in settings)
    throw illegalArgument('Setting index.mapper.dynamic was removed after version 6.0.0')
}

/** All that is wrong with settings of indices to come, as a composable template tells it. */
export function indexSettingsComplaints(settings: FlatSettings, version: EngineVersion): readonly string[] {
  return [
    ...settingFaults(settings, version, false).map(({ reason }) => reason),
    ...privateComplaints(settings, version),
  ]
}

/** What is wrong with names and values, in order of names. */
function settingFaults(settings: FlatSettings, version: EngineVersion, isUpdate: boolean): readonly ServiceError[] {
  const faults: ServiceError[] = []
  for (const name of Object.keys(settings).sort()) {
    if (isUpdate && name.includes('*')) continue
    const fault = faultOf(() => checkSetting(name, settings[name] ?? null, version, isUpdate))
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

function checkSetting(name: string, value: FlatSettings[string], version: EngineVersion, isUpdate: boolean): void {
  if (PRIVATE_INDEX_SETTINGS.has(name)) {
    const owner = version === 'OpenSearch_2.19' ? 'OpenSearch' : 'Elasticsearch'
    if (!isUpdate) return
    throw illegalArgument(`can not update private setting [${name}]; this setting is managed by ${owner}`)
  }
  if (indexSettingMutability(name, version) === undefined) throw unknownSetting(name, version)
  const row = rowOf(name, version)
  if (row !== undefined && value !== null && value !== undefined) checkSettingValue(name, value, row[3], version)
}

/** What is said of the server's own settings where they are given; OpenSearch takes unknown ones for such. */
function privateComplaints(settings: FlatSettings, version: EngineVersion): readonly string[] {
  return Object.keys(settings)
    .sort()
    .flatMap((name) => {
      if (PRIVATE_INDEX_SETTINGS.has(name)) return [`private index setting [${name}] can not be set explicitly`]
      const isUnknown = version === 'OpenSearch_2.19' && indexSettingMutability(name, version) === undefined
      return isUnknown ? [`expected [${name}] to be private but it was not`] : []
    })
}

/** A fault that shows others. */
const suppressing = (fault: ServiceError, others: readonly ServiceError[]): ServiceError =>
  fault.with({ metadata: { suppressed: others.map(told) }, rootCause: fault })

function told({ type, reason, detail: { cause } }: ServiceError): object {
  return cause === undefined ? { type, reason } : { type, reason, caused_by: told(cause) }
}

function unknownSetting(name: string, version: EngineVersion): ServiceError {
  const known = INDEX_SETTING_TABLE.filter((row) => isKnownTo(row, version)).map(([key]) => key)
  const similar = closestNames(name, known)
  const [first, ...more] = similar
  const advice =
    first === undefined
      ? ' please check that any required plugins are installed, or check the breaking changes documentation for removed settings'
      : ` did you mean ${more.length === 0 ? `[${first}]` : `any of [${similar.join(', ')}]`}?`
  return illegalArgument(`unknown setting [${name}]${advice}`)
}

/** Settings that stand in every index's metadata without being settable. */
const GIVEN_AT_CREATION: ReadonlySet<string> = new Set(['index.uuid', 'index.creation_date', 'index.provided_name'])

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
  if (fixed.length === 0 || indices.length === 0) return
  const open = indices.filter(({ state }) => state === 'open')
  if (open.length > 0) {
    const list = open.map(({ name, uuid }) => `[${name}/${uuid}]`).join(', ')
    throw illegalArgument(
      `Can't update non dynamic settings [[${inJavaHashOrder(fixed).join(', ')}]] for open indices [${list}]`,
    )
  }
  const final = fixed.find((name) => indexSettingMutability(name, version) === 'final')
  if (final !== undefined) {
    throw illegalArgument(`final ${indices[0]?.name} setting [${final}], not updateable`)
  }
  checkStoreType(changes)
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

/** Default of a setting, as `include_defaults` shows it; undefined for names that have none. */
export function indexSettingDefault(name: string, version: EngineVersion): string | readonly string[] | undefined {
  if (version !== 'Elasticsearch_6.8' && MODERN_DEFAULTS[name] !== undefined) return MODERN_DEFAULTS[name]
  if (name === 'index.number_of_shards') return version === 'Elasticsearch_6.8' ? '5' : '1'
  return ROWS.get(name)?.[2]
}

/** Settings that an index leaves at their defaults, for `include_defaults`. */
export function defaultIndexSettings(settings: FlatSettings, version: EngineVersion): FlatSettings {
  const defaults: Record<string, string | readonly string[]> = {}
  for (const row of INDEX_SETTING_TABLE) {
    if (settings[row[0]] !== undefined || !isKnownTo(row, version)) continue
    const value =
      row[0] === 'index.number_of_routing_shards' && version !== 'Elasticsearch_6.8'
        ? (settings['index.number_of_shards'] ?? indexSettingDefault('index.number_of_shards', version))
        : indexSettingDefault(row[0], version)
    if (value !== undefined) defaults[row[0]] = value
  }
  return defaults
}

/** Text of a setting, or its default. */
function indexSettingText(settings: FlatSettings, name: string, version: EngineVersion): string {
  const value = settings[name] ?? indexSettingDefault(name, version) ?? ''
  return typeof value === 'string' ? value : value.join(',')
}

/** A setting that is a time, in ms; below 0 for «never». */
export function indexSettingMs(settings: FlatSettings, name: string, version: EngineVersion): number {
  try {
    return parseTimeMs(indexSettingText(settings, name, version), name)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Stored by a version that read `1M` as a minute.
    return parseTimeMs(indexSettingText({}, name, version), name)
  }
}
