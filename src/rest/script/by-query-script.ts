import { type Long, longOf } from '../../engine/algorithms/long.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { ScriptedDocument } from '../../engine/index/document-operation.ts'
import { readForUpdate } from '../../engine/index/update-source.ts'
import { failedBaseCast } from '../../engine/java/java-class-text.ts'
import { notOf } from '../../engine/script/values/boxing.ts'
import { scriptValueOf } from '../../engine/script/values/script-json.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import { classNameOf, isEqualValue, type ScriptValue, textOf } from '../../engine/script/values/script-value.ts'
import { UPDATE_CONTEXT } from '../../engine/script/write-contexts.ts'
import { type SearchScript, scriptText } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import { compileWriteScript, type WriteScript } from './compile-write-script.ts'
import { asServiceError, sourceBytes } from './update-script.ts'

/** What the script wants done with it. */
export interface ScriptedWrite {
  readonly op: 'index' | 'noop' | 'delete'
  readonly source: Buffer
  /** Metadata that the script changed; null: taken away. */
  readonly index?: string
  readonly type?: string
  readonly id?: string | null
  readonly version?: Long | null
  readonly routing?: string | null
  /** A parent was given, which 6.x refuses where the document is written. */
  readonly isChild?: boolean
}

/** The script of an `_update_by_query` or `_reindex`; compiled when the first document comes, as in the real server. */
export class ByQueryScript {
  readonly #script: SearchScript
  readonly #mayMove: boolean
  readonly #engineVersion: EngineVersion
  readonly #seesVersions: boolean
  #compiled: WriteScript | undefined

  /**
   * @param mayMove       whether it may change metadata: where a copy goes and what it is called
   * @param keepsVersions  whether copies have their originals' versions, which later versions do not look up otherwise
   */
  constructor(script: SearchScript, mayMove: boolean, engineVersion: EngineVersion, keepsVersions = false) {
    this.#seesVersions = keepsVersions || engineVersion === 'Elasticsearch_6.8'
    this.#script = script
    this.#mayMove = mayMove
    this.#engineVersion = engineVersion
  }

  /** What a task's description says of it. */
  get told(): string {
    return ` updated with ${scriptText(this.#script)}`
  }

  /** Compiles it. @throws {ServiceError} */
  compile(): WriteScript {
    this.#compiled ??= compileWriteScript(this.#script, UPDATE_CONTEXT, this.#engineVersion)
    return this.#compiled
  }

  /** Runs it on a document. @throws {ServiceError} script_exception, illegal_argument_exception for what it may not do */
  run(document: ScriptedDocument): ScriptedWrite {
    const { compiled, params } = this.compile()
    const ctx = new ScriptMap()
    const before = new Map<string, ScriptValue>([
      ['_index', document.index],
      ...(this.#engineVersion === 'OpenSearch_2.19' ? [] : ([['_type', document.type]] as const)),
      ['_id', document.id],
      ['_version', this.#seesVersions ? BigInt(document.version) : -1n],
      ['_routing', document.routing ?? null],
      ...(this.#engineVersion === 'Elasticsearch_6.8' ? ([['_parent', null]] as const) : []),
    ])
    for (const [name, value] of before) ctx.put(name, value)
    ctx.put('_source', scriptValueOf(readForUpdate(document.source)))
    ctx.put('op', 'index')
    compiled.run({ ctx, params })
    const op = operationIn(ctx.get('op'))
    if (op === 'noop') return { op, source: document.source }
    const changed = new Map<string, ScriptValue>()
    const after = new Map([...ctx.entries()].map((entry) => [textOf(entry.entryKey), entry.value]))
    for (const [name, value] of before) {
      const now = after.get(name) ?? null
      after.delete(name)
      if (isEqualValue(now, value)) continue
      if (!this.#mayMove) throw illegal(`Modifying [${name}] not allowed`)
      changed.set(name, now)
    }
    after.delete('_source')
    after.delete('op')
    if (after.size > 0) throw illegal(`Invalid fields added to context [${[...after.keys()].join(',')}]`)
    return { op, source: op === 'delete' ? document.source : sourceBytes(ctx.get('_source')), ...metadataOf(changed) }
  }
}

function operationIn(op: ScriptValue): ScriptedWrite['op'] {
  if (op === null) throw illegal('Script cleared operation type')
  if (op === 'index' || op === 'noop' || op === 'delete') return op
  if (typeof op !== 'string') throw asServiceError(notOf(op, 'java.lang.String'))
  throw illegal(`Operation type [${op}] not allowed, only [noop, index, delete] are allowed`)
}

type ChangedMetadata = Omit<ScriptedWrite, 'op' | 'source'>

function metadataOf(changed: ReadonlyMap<string, ScriptValue>): ChangedMetadata {
  const made: { -readonly [K in keyof ChangedMetadata]: ChangedMetadata[K] } = {}
  for (const [name, value] of changed) {
    switch (name) {
      case '_index':
        if (value === null) throw missing('index')
        made.index = textOf(value)
        break
      case '_type':
        if (value === null) throw missing('type')
        made.type = textOf(value)
        break
      case '_id':
        made.id = value === null ? null : textOf(value)
        break
      case '_version':
        made.version = value === null ? null : versionOf(value)
        break
      case '_routing':
        made.routing = value === null ? null : (routingOfWrite(textOf(value)) ?? null)
        break
      default:
        made.isChild = value !== null
    }
  }
  return made
}

function versionOf(value: ScriptValue): Long {
  if (typeof value === 'bigint') return longOf(value)
  if (typeof value === 'number') return value
  throw new ServiceError(
    'illegal_argument_exception',
    `_version may only be set to an int or a long but was [${textOf(value)}]`,
    {
      cause: failedBaseCast(classNameOf(value), 'java.lang.Number'),
    },
  )
}

function missing(what: string): ServiceError {
  return new ServiceError('null_pointer_exception', `Can't reindex without a destination ${what}!`)
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
