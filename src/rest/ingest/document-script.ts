import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { fault } from '../../engine/script/script-fault.ts'
import { BigInteger, jsonOfScript, scriptValueOf } from '../../engine/script/script-json.ts'
import { ScriptList } from '../../engine/script/script-list.ts'
import { ScriptMap } from '../../engine/script/script-map.ts'
import type { ScriptValue } from '../../engine/script/script-value.ts'
import { ServiceError } from '../../errors.ts'
import type { WriteScript } from '../script/compile-write-script.ts'
import { asServiceError } from '../script/update-script.ts'
import { type IngestDocument, METADATA, type Value } from './ingest-document.ts'
import { ScriptIngestFault } from './ingest-fault.ts'

/** Runs a script that may change a document and its metadata. @throws {IngestFault} */
export function changeByScript(document: IngestDocument, { compiled, params }: WriteScript): void {
  const ctx = new ScriptMap()
  for (const [name, value] of Object.entries(document.source)) ctx.put(name, scriptValueOf(value))
  for (const [name, value] of Object.entries(document.metadata)) {
    ctx.put(name, name === '_version' && typeof value === 'number' ? BigInt(value) : scriptValueOf(value))
  }
  const after = asFault(() => {
    compiled.run({ ctx, params })
    return jsonOfScript(ctx) as Record<string, Value>
  })
  for (const name of Object.keys(document.source)) delete document.source[name]
  for (const name of Object.keys(document.metadata)) delete document.metadata[name]
  for (const [name, value] of Object.entries(after)) {
    const part = (METADATA as readonly string[]).includes(name) ? document.metadata : document.source
    Object.defineProperty(part, name, { value, writable: true, enumerable: true, configurable: true })
  }
}

/** Asks a condition about a document, which it may not change. @throws {IngestFault} */
export function meetsCondition(document: IngestDocument, compile: () => WriteScript): boolean {
  return asFault(() => {
    const { compiled, params } = compile()
    const ctx = readOnly({ ...document.source, ...document.metadata })
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

/** A map that scripts cannot change. */
class ReadOnlyMap extends ScriptMap {
  #isOpen = true

  close(): this {
    this.#isOpen = false
    return this
  }

  override put(...args: Parameters<ScriptMap['put']>): ScriptValue {
    if (!this.#isOpen) throw mutating()
    return super.put(...args)
  }

  override remove(): ScriptValue {
    throw mutating()
  }

  override clear(): void {
    throw mutating()
  }
}

function mutating(): Error {
  return fault('UnsupportedOperationException', 'Mutating ingest documents in conditionals is not supported')
}

const FIXED_LIST = 'java.util.Collections$UnmodifiableRandomAccessList'

function readOnly(value: unknown): ScriptValue {
  if (Array.isArray(value)) return new ScriptList(value.map(readOnly), FIXED_LIST)
  const isPlain =
    typeof value === 'object' && value !== null && !(value instanceof JsonNumber) && !(value instanceof BigInteger)
  if (!isPlain) return scriptValueOf(value)
  const map = new ReadOnlyMap()
  for (const [name, member] of Object.entries(value)) map.put(name, readOnly(member))
  return map.close()
}
