import type { EngineVersion } from '../../engine/engine-version.ts'
import type { ScriptedOutcome, UpdateScript } from '../../engine/index/document-operation.ts'
import { readForUpdate, writeUpdated } from '../../engine/index/update-source.ts'
import { ScriptFault } from '../../engine/script/script-fault.ts'
import { notOf } from '../../engine/script/values/boxing.ts'
import { jsonOfScript, scriptValueOf } from '../../engine/script/values/script-json.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import type { ScriptValue } from '../../engine/script/values/script-value.ts'
import { UPDATE_CONTEXT } from '../../engine/script/write-contexts.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { type ErrorType, faultOf, ServiceError } from '../../errors.ts'
import { compileWriteScript } from './compile-write-script.ts'

/**
 * The script of an `_update`. It is compiled when there is a document for it, as in the real server: its errors are those
 * of the write.
 *
 * @param isScriptedUpsert  whether it also makes the document that is put where there is none
 */
export function updateScript(
  script: SearchScript,
  isScriptedUpsert: boolean,
  engineVersion: EngineVersion,
): UpdateScript {
  const change: UpdateScript['change'] = (document) => {
    const ctx = new ScriptMap()
    ctx.put('_index', document.index)
    if (engineVersion !== 'OpenSearch_2.19') ctx.put('_type', document.type)
    ctx.put('_id', document.id)
    ctx.put('_version', BigInt(document.version))
    ctx.put('_routing', document.routing ?? null)
    if (engineVersion === 'Elasticsearch_6.8') ctx.put('_parent', null)
    ctx.put('_source', scriptValueOf(readForUpdate(document.source), 'linked'))
    ctx.put('op', 'index')
    ctx.put('_now', BigInt(Date.now()))
    run(script, ctx, engineVersion)
    const op = ctx.get('op')
    if (op === 'delete') return { op }
    return op === 'index' ? { op, source: writtenSource(ctx) } : { op: 'none' }
  }
  if (!isScriptedUpsert) return { change }
  return {
    change,
    create: (upsert) => {
      const ctx = new ScriptMap()
      ctx.put('op', 'create')
      ctx.put('_source', scriptValueOf(upsert))
      ctx.put('_now', BigInt(Date.now()))
      run(script, ctx, engineVersion)
      return ctx.get('op') === 'create' ? { op: 'index', source: writtenSource(ctx) } : { op: 'none' }
    },
  }
}

function run(script: SearchScript, ctx: ScriptMap, engineVersion: EngineVersion): void {
  const cause = faultOf(() => {
    const { compiled, params } = compileWriteScript(script, UPDATE_CONTEXT, engineVersion)
    compiled.run({ ctx, params })
  })
  if (cause !== undefined) throw new ServiceError('illegal_argument_exception', 'failed to execute script', { cause })
}

/** What a script left as the document. */
function writtenSource(ctx: ScriptMap): NonNullable<Extract<ScriptedOutcome, { op: 'index' }>['source']> {
  return sourceBytes(ctx.get('_source'))
}

/**
 * The bytes of a source that a script left; none where it took the source away, which the mapping then complains about.
 *
 * @throws {ServiceError} class_cast_exception, illegal_argument_exception for what cannot be written
 */
export function sourceBytes(source: ScriptValue): Buffer {
  try {
    if (source === null) return Buffer.from('null')
    if (!(source instanceof ScriptMap)) throw notOf(source, 'java.util.Map')
    return writeUpdated(jsonOfScript(source) as Readonly<Record<string, unknown>>)
  } catch (error) {
    throw asServiceError(error)
  }
}

/** A fault of what a script left behind, outside any script. */
export function asServiceError(error: unknown): unknown {
  if (!(error instanceof ScriptFault)) return error
  const { className, message } = error.throwable
  const type: ErrorType = className.endsWith('ClassCastException')
    ? 'class_cast_exception'
    : 'illegal_argument_exception'
  return new ServiceError(type, message ?? className)
}
