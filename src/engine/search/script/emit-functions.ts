import type { ContextFunction, ScriptHost } from '../../script/script-context.ts'
import { fault } from '../../script/script-fault.ts'
import { ScriptObject } from '../../script/values/script-object.ts'
import { Box, type ScriptValue, textOf } from '../../script/values/script-value.ts'
import type { LeafHost } from './leaf-host.ts'

/** Latitude and longitude, as scripts of derived fields emit them. */
export class EmittedPoint extends ScriptObject {
  readonly lat: number
  readonly lon: number

  constructor(lat: number, lon: number) {
    super()
    this.lat = lat
    this.lon = lon
  }

  get className(): string {
    return 'org.opensearch.common.collect.Tuple'
  }
}

/** What the real server lets a document's values take. */
const MAX_BYTES = 1 << 20

/** By which scripts of derived fields give a document its values. */
export const EMIT_FUNCTIONS: readonly ContextFunction[] = [
  {
    name: 'emit',
    params: ['def'],
    returns: 'void',
    bind: {
      count: 0,
      make: (_args, host) => {
        const emit = emitter(host)
        return ([value]) => emit(value as ScriptValue)
      },
    },
  },
  {
    name: 'emit',
    params: ['double', 'double'],
    returns: 'void',
    bind: {
      count: 0,
      make: (_args, host) => {
        const emit = emitter(host)
        return ([lat, lon]) => emit(new EmittedPoint(lat as number, lon as number))
      },
    },
  },
]

function emitter(host: ScriptHost | undefined): (value: ScriptValue) => void {
  const { emitted } = host as LeafHost
  let bytes = 0
  return (value) => {
    if (emitted.length === 0) bytes = 0
    bytes += sizeOf(value)
    if (bytes > MAX_BYTES) throw fault('IllegalStateException', 'Exceeded maximum allowed byte size for emitted values')
    emitted.push(value)
  }
}

function sizeOf(value: ScriptValue): number {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'boolean') return 1
  if (typeof value === 'number') return 4
  if (typeof value === 'bigint' || value instanceof Box) return 8
  if (value instanceof EmittedPoint) return 16
  throw fault('IllegalArgumentException', `Unsupported object type passed in emit() - ${textOf(value)}`)
}
