import type { VersionType } from '../../engine/index/document-operation.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { validationFailed, versionTypeOf } from '../documents/document-parameters.ts'
import { parseMembers } from '../query-dsl/object-parser.ts'

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

const MEMBERS = {
  index: 'text',
  type: 'text',
  op_type: 'text',
  version_type: 'text',
  routing: 'text',
  pipeline: 'text',
} as const

/** Reads `dest`; undefined when it names no index. @throws {ServiceError} x_content_parse_exception, action_request_validation_exception */
export function reindexDestination(json: JsonValue | undefined, isLegacy: boolean): ReindexDestination | undefined {
  if (!isObject(json)) return undefined
  const read = inField('reindex', 'dest', () => parseMembers('dest', json, MEMBERS, [], isLegacy))
  const { index, type, op_type: opType = 'index', version_type: versionType, pipeline, routing } = read as Texts
  if (opType !== 'index' && opType !== 'create')
    throw inDest('op_type', `opType must be 'create' or 'index', found: [${opType}]`)
  if (index === undefined) return undefined
  return {
    index,
    type,
    create: opType === 'create',
    versionType: versionTypeIn(versionType),
    routing: routingOf(routing),
    pipeline,
  }
}

type Texts = { readonly [name in keyof typeof MEMBERS]?: string }

function versionTypeIn(value: string | undefined): VersionType {
  try {
    return versionTypeOf(value)
  } catch (error) {
    if (error instanceof ServiceError) throw inDest('version_type', error.reason)
    throw error
  }
}

function routingOf(text = 'keep'): ReindexDestination['routing'] {
  if (text === 'keep' || text === '') return (own) => own
  if (text === 'discard') return () => undefined
  if (text.startsWith('=')) return () => text.slice(1)
  throw validationFailed(['routing must be unset, [keep], [discard] or [=<some new value>]'])
}

function inDest(field: string, reason: string): ServiceError {
  const cause = new ServiceError('illegal_argument_exception', reason)
  return failedField('reindex', 'dest', failedField('dest', field, cause))
}
