import type { VersionType } from '../../engine/index/document-operation.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { validationFailed, versionTypeOf } from '../documents/document-parameters.ts'
import type { JsonValue } from '../parse-json.ts'
import { unknownField } from '../unknown-field.ts'

/** Where reindex writes to and how. */
export interface ReindexDestination {
  readonly index: string
  /** Undefined: each document keeps its own. */
  readonly type: string | undefined
  readonly create: boolean
  /** Undefined: versions start anew. */
  readonly versionType: VersionType
  readonly pipeline: string | undefined
  readonly routing: (own: string | undefined) => string | undefined
}

const KEYS = new Set(['index', 'type', 'op_type', 'version_type', 'routing', 'pipeline'])

/** Reads `dest`; undefined when it names no index. @throws {ServiceError} x_content_parse_exception, action_request_validation_exception */
export function reindexDestination(json: JsonValue | undefined, isLegacy: boolean): ReindexDestination | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) return undefined
  for (const key of Object.keys(json)) {
    if (!KEYS.has(key)) {
      throw failedField('reindex', 'dest', unknownField('dest', key, isLegacy, KEYS, json))
    }
  }
  for (const name of ['index', 'type', 'routing', 'pipeline', 'version_type', 'op_type']) {
    const value = json[name]
    if (value === undefined || typeof value === 'string') continue
    const reason = `[dest] ${name} doesn't support values of type: ${tokenName(value)}`
    throw failedField('reindex', 'dest', parseFault(reason).at(json, name))
  }
  const { index, type, op_type: opType = 'index', version_type: versionType, pipeline, routing } = json
  if (opType !== 'index' && opType !== 'create')
    throw inDest('op_type', `opType must be 'create' or 'index', found: [${String(opType)}]`)
  if (index === undefined || index === null) return undefined
  return {
    index: String(index),
    type: type === undefined || type === null ? undefined : String(type),
    create: opType === 'create',
    versionType: versionTypeIn(versionType),
    routing: routingOf(routing),
    pipeline: pipeline === undefined || pipeline === null ? undefined : String(pipeline),
  }
}

function versionTypeIn(value: JsonValue | undefined): VersionType {
  try {
    return versionTypeOf(value === undefined || value === null ? undefined : String(value))
  } catch (error) {
    if (error instanceof ServiceError) throw inDest('version_type', error.reason)
    throw error
  }
}

function routingOf(value: JsonValue | undefined): ReindexDestination['routing'] {
  if (value === undefined || value === null || value === 'keep' || value === '') return (own) => own
  const text = String(value)
  if (text === 'discard') return () => undefined
  if (text.startsWith('=')) return () => text.slice(1)
  throw validationFailed(['routing must be unset, [keep], [discard] or [=<some new value>]'])
}

function inDest(field: string, reason: string): ServiceError {
  const cause = new ServiceError('illegal_argument_exception', reason)
  return failedField('reindex', 'dest', failedField('dest', field, cause))
}
