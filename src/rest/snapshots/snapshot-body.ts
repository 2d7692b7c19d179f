import { writeBigJson } from '../../engine/big-json.ts'
import { flattenIndexSettings } from '../../engine/metadata/flatten-settings.ts'
import {
  type IndicesOptions,
  indicesOptionsFromQuery,
  STRICT_EXPAND_OPEN,
} from '../../engine/metadata/indices-options.ts'
import type { RestoreRequest } from '../../engine/snapshot/restore-request.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notABoolean } from '../../parse-boolean.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { type EndpointRequest, lenientBody } from '../rest-request.ts'

/** Most bytes of what a caller notes about a snapshot. */
const MOST_METADATA_BYTES = 1024

type Body = { readonly [name: string]: JsonValue }

/** What `PUT /_snapshot/<repository>/<snapshot>` says about the snapshot. */
export interface SnapshotBody {
  /** Names and patterns; none: all. */
  readonly indices: readonly string[]
  readonly options: IndicesOptions
  readonly partial: boolean
  readonly includeGlobalState: boolean
  readonly metadata: Readonly<Record<string, unknown>> | undefined
}

/** Reads the body of a new snapshot; members it does not know are passed over, as in the real server. @throws {ServiceError} */
export function parseSnapshotBody(request: EndpointRequest): SnapshotBody {
  const body = lenientBody(request)
  const settings = body['settings']
  if (settings !== undefined && !isObject(settings))
    throw illegalArgument('malformed settings section, should indices an inner object')
  return {
    indices: stringList(body, 'indices'),
    options: bodyOptions(body),
    partial: flag(body, 'partial', false),
    includeGlobalState: flag(body, 'include_global_state', true),
    metadata: request.dialect.typed ? undefined : callersMetadata(body['metadata']),
  }
}

function callersMetadata(value: JsonValue | undefined): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw illegalArgument('malformed metadata, should be an object')
  const bytes = Buffer.byteLength(writeBigJson(value))
  if (bytes > MOST_METADATA_BYTES)
    throw validationFailed([`metadata must be smaller than ${MOST_METADATA_BYTES} bytes, but was [${bytes}]`])
  return value
}

const RESTORE_MEMBERS: ReadonlySet<string> = new Set([
  'indices',
  'partial',
  'settings',
  'include_global_state',
  'include_aliases',
  'rename_pattern',
  'rename_replacement',
  'index_settings',
  'ignore_index_settings',
  'ignore_unavailable',
  'allow_no_indices',
  'expand_wildcards',
])

/** Reads what a restore asks for. @throws {ServiceError} illegal_argument_exception */
export function parseRestoreBody(request: EndpointRequest): RestoreRequest {
  const body = lenientBody(request)
  for (const name of Object.keys(body))
    if (!RESTORE_MEMBERS.has(name)) throw illegalArgument(`Unknown parameter ${name}`)
  const text = (name: string): string | undefined => {
    const value = body[name]
    if (value === undefined || typeof value === 'string') return value
    throw illegalArgument(`malformed ${name}`)
  }
  const settings = body['settings']
  if (settings !== undefined && !isObject(settings)) throw illegalArgument('malformed settings section')
  const changes = body['index_settings'] ?? {}
  if (!isObject(changes)) throw illegalArgument('malformed index_settings section')
  return {
    repository: request.path['repository'] as string,
    snapshot: request.path['snapshot'] as string,
    indices: stringList(body, 'indices'),
    ignoreUnavailable: bodyOptions(body).ignoreUnavailable,
    renamePattern: text('rename_pattern'),
    renameReplacement: text('rename_replacement'),
    includeAliases: flag(body, 'include_aliases', true),
    includeGlobalState: flag(body, 'include_global_state', false),
    partial: flag(body, 'partial', false),
    changes: flattenIndexSettings(changes),
    ignored: stringList(body, 'ignore_index_settings'),
  }
}

/** Names in a list or joined by commas. @throws {ServiceError} illegal_argument_exception */
export function stringList(body: Body, name: string): readonly string[] {
  const value = body[name]
  if (value === undefined) return []
  if (typeof value === 'string') return value.split(',').filter((part) => part !== '')
  if (Array.isArray(value) && value.every((part): part is string => typeof part === 'string')) return value
  throw illegalArgument(`malformed ${name} section, should be an array of strings`)
}

/** How names of indices are read, where a body says so. */
export function bodyOptions(body: Body): IndicesOptions {
  const words = new Map<string, string>()
  for (const name of ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards']) {
    const value = body[name]
    if (value !== undefined && value !== null)
      words.set(name, Array.isArray(value) ? value.map(String).join(',') : String(value))
  }
  return indicesOptionsFromQuery(words, { ...STRICT_EXPAND_OPEN, expandWildcardsHidden: true })
}

function flag(body: Body, name: string, fallback: boolean): boolean {
  const value = body[name]
  if (value === undefined || value === null) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw illegalArgument(`Could not convert [${name}] to boolean`, notABoolean(value))
}
