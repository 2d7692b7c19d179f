import type { VersionType } from '../../engine/index/document-operation.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { versionTypeOf } from '../documents/document-parameters.ts'
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
  /** What is wrong with it as a whole. */
  readonly complaints: readonly string[]
}

const MEMBERS = {
  index: 'text',
  op_type: 'text',
  version_type: 'text',
  routing: 'text',
  pipeline: 'text',
} as const

/** Reads `dest`; undefined when it names no index. @throws {ServiceError} x_content_parse_exception */
export function reindexDestination(
  json: JsonValue | undefined,
  { typed, showsType }: Dialect,
): ReindexDestination | undefined {
  if (!isObject(json)) return undefined
  return inField('reindex', 'dest', () => {
    const read = parseMembers('dest', json, showsType ? { ...MEMBERS, type: 'text' } : MEMBERS, [], typed) as Texts
    const create = inField('dest', 'op_type', () => creates(read.op_type), json)
    const versionType = inField('dest', 'version_type', () => versionTypeOf(read.version_type), json)
    const { index, type, pipeline, routing = 'keep' } = read
    if (index === undefined) return undefined
    const isRouted = routing === '' || routing === 'keep' || routing === 'discard' || routing.startsWith('=')
    return {
      index,
      type,
      create,
      versionType,
      pipeline,
      routing: (own) => (routing === 'discard' ? undefined : routing.startsWith('=') ? routing.slice(1) : own),
      complaints: isRouted ? [] : ['routing must be unset, [keep], [discard] or [=<some new value>]'],
    }
  })
}

type Texts = { readonly [name in keyof typeof MEMBERS | 'type']?: string }

function creates(opType = 'index'): boolean {
  const action = opType.toLowerCase()
  if (action === 'index' || action === 'create') return action === 'create'
  throw illegalArgument(`opType must be 'create' or 'index', found: [${action}]`)
}
