import type { EngineVersion } from '../../engine/engine-version.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { CONDITION_CLASS } from '../../engine/script/api/condition-classes.ts'
import { unsupported } from '../../engine/script/values/script-collection.ts'
import { BigInteger, jsonOfScript, scriptValueOf } from '../../engine/script/values/script-json.ts'
import { ScriptList } from '../../engine/script/values/script-list.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import type { ScriptValue } from '../../engine/script/values/script-value.ts'
import { refuseSelfReferences } from '../../engine/script/values/self-references.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { WriteScript } from '../script/compile-write-script.ts'
import { asServiceError } from '../script/update-script.ts'
import { type IngestDocument, METADATA, type Value } from './ingest-document.ts'
import { ScriptIngestFault } from './ingest-fault.ts'
import type { IngestRun } from './processor.ts'
import { checkCopied } from './uncopied-values.ts'

/** Tells of what a script uses that is deprecated. */
type Note = IngestRun['deprecated']

/** A document and its metadata as a script sees them; who asks for the type is told that there are none any more. */
class ScriptedDocument extends ScriptMap {
  readonly #deprecated: Note

  constructor(deprecated: Note) {
    super()
    this.#deprecated = deprecated
  }

  override get(key: ScriptValue): ScriptValue {
    if (key === '_type') this.#deprecated?.('type_in_script')
    return super.get(key)
  }
}

/**
 * Runs a script that may change a document and its metadata. What one that fails has done until then stays done, but for OpenSearch's,
 * which run on a copy.
 *
 * @throws {IngestFault}
 */
export function changeByScript(
  document: IngestDocument,
  { compiled, params }: WriteScript,
  version: EngineVersion,
  deprecated: Note,
): void {
  const ctx = new ScriptedDocument(deprecated)
  const isCopied = version === 'OpenSearch_2.19'
  const large = isCopied ? uncopied : undefined
  const check = (): void => refuseSelfReferences(ctx, 'ingest script', version)
  asFault(() => {
    if (isCopied) checkCopied(document, true)
    for (const [name, value] of Object.entries(document.source)) ctx.put(name, scriptValueOf(value, 'hash', large))
    for (const [name, value] of Object.entries(document.metadata))
      ctx.put(name, name === '_version' && typeof value === 'number' ? BigInt(value) : scriptValueOf(value))
    try {
      compiled.run({ ctx, params })
    } catch (error) {
      if (!isCopied && faultOf(check) === undefined) replace(document, ctx)
      throw error
    }
    check()
    replace(document, ctx)
  })
}

/** Makes a document of what a script has left of it. */
function replace(document: IngestDocument, ctx: ScriptMap): void {
  const after = jsonOfScript(ctx) as Record<string, Value>
  document.scripted = ctx
  for (const name of Object.keys(document.source)) delete document.source[name]
  for (const name of Object.keys(document.metadata)) delete document.metadata[name]
  for (const [name, value] of Object.entries(after)) {
    const part = (METADATA as readonly string[]).includes(name) ? document.metadata : document.source
    Object.defineProperty(part, name, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** In the copy that OpenSearch runs a script on there are no such numbers. */
function uncopied(): never {
  throw illegalArgument('unexpected value type [class java.math.BigInteger]')
}

/** Asks a condition about a document, which it may not change. @throws {IngestFault} */
export function meetsCondition(
  document: IngestDocument,
  version: EngineVersion,
  compile: () => WriteScript,
  deprecated: Note,
): boolean {
  const classes = CONDITION_CLASS[version === 'OpenSearch_2.19' ? 'OpenSearch' : 'Elasticsearch']
  return asFault(() => {
    const { compiled, params } = compile()
    const ctx = readOnly({ ...document.source, ...document.metadata }, classes, deprecated)
    return compiled.run({ ctx, params }) as boolean
  })
}

function asFault<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const told = asServiceError(error)
    throw told instanceof ServiceError ? new ScriptIngestFault(told) : error
  }
}

const UNCHANGEABLE = 'Mutating ingest documents in conditionals is not supported'

/** A map that scripts cannot change. */
class ReadOnlyMap extends ScriptMap {
  readonly #deprecated: Note
  #isOpen = true

  /** @param deprecated  told of a document's type that is asked for; absent: it is no document */
  constructor(className: string, deprecated?: Note) {
    super('hash', className)
    this.#deprecated = deprecated
  }

  override get(key: ScriptValue): ScriptValue {
    if (key === '_type') this.#deprecated?.('type_in_script')
    return super.get(key)
  }

  close(): this {
    this.#isOpen = false
    return this
  }

  override put(...args: Parameters<ScriptMap['put']>): ScriptValue {
    if (!this.#isOpen) throw unsupported(UNCHANGEABLE)
    return super.put(...args)
  }

  override remove(): ScriptValue {
    throw unsupported(UNCHANGEABLE)
  }

  override clear(): void {
    throw unsupported(UNCHANGEABLE)
  }
}

function readOnly(
  value: unknown,
  classes: { readonly list: string; readonly map: string },
  deprecated?: Note,
): ScriptValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => readOnly(item, classes))
    return new ScriptList(items, classes.list, UNCHANGEABLE)
  }
  const isPlain =
    typeof value === 'object' && value !== null && !(value instanceof JsonNumber) && !(value instanceof BigInteger)
  if (!isPlain) return scriptValueOf(value)
  const map = new ReadOnlyMap(classes.map, deprecated)
  for (const [name, member] of Object.entries(value)) map.put(name, readOnly(member, classes))
  return map.close()
}
