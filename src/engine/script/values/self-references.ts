import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { ScriptFault } from '../script-fault.ts'
import { ScriptArray } from './script-array.ts'
import { ScriptCollection } from './script-collection.ts'
import { ScriptMap } from './script-map.ts'
import type { ScriptValue } from './script-value.ts'

/** Nesting that is looked into; the real server runs out of stack somewhere there. */
const MAX_DEPTH = 1_000

/**
 * Refuses what contains itself, which has neither a text nor a form as JSON.
 *
 * @param where  what the value is, as 7.x and later tell
 * @throws {ServiceError} illegal_argument_exception, unsupported_operation_exception for what cannot be gone through
 */
export function refuseSelfReferences(value: ScriptValue, where: string, version: EngineVersion): void {
  if (isHolder(value)) look(value, { within: new Set(), seen: new Set(), where, version })
}

const isHolder = (value: ScriptValue): value is ScriptMap | ScriptCollection | ScriptArray =>
  value instanceof ScriptMap || value instanceof ScriptCollection || value instanceof ScriptArray

interface Look {
  /** What is looked into. */
  readonly within: Set<ScriptValue>
  /** What was: lists of a list twice, forty deep, have a million million members. */
  readonly seen: Set<ScriptValue>
  readonly where: string
  readonly version: EngineVersion
}

function look(value: ScriptMap | ScriptCollection | ScriptArray, looking: Look): void {
  const { within, seen, where, version } = looking
  if (within.has(value) || within.size > MAX_DEPTH) {
    const told = version === 'Elasticsearch_6.8' ? '' : ` (${where})`
    throw illegalArgument(`Iterable object is self-referencing itself${told}`)
  }
  if (seen.has(value)) return
  seen.add(value)
  within.add(value)
  for (const member of membersOf(value)) if (isHolder(member)) look(member, looking)
  within.delete(value)
}

/** What is held. @throws {ServiceError} unsupported_operation_exception for what cannot be gone through (`doc`) */
function membersOf(value: ScriptMap | ScriptCollection | ScriptArray): readonly ScriptValue[] {
  if (value instanceof ScriptArray) return value.items as readonly ScriptValue[]
  try {
    return value instanceof ScriptMap ? value.ordered().map((entry) => entry.value) : [...value.values()]
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    throw new ServiceError('unsupported_operation_exception', error.throwable.message as string)
  }
}
