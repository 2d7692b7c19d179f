import { illegalArgument } from '../../../illegal-argument.ts'
import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { countMembers, isPaid } from '../work-meter.ts'
import { ScriptObject } from './script-object.ts'
import { isEqualValue, type ScriptValue, textOf } from './script-value.ts'

/** Length up to which a collection's text is made. */
const MAX_TEXT = 4_000_000

/** Nesting up to which a collection's text is made; Java runs out of stack somewhere there. */
const MAX_TEXT_DEPTH = 200

let textDepth = 0

/**
 * Runs what makes the text of something nested.
 *
 * @throws {ScriptFault} stack_overflow_error for what contains itself
 * @throws {ServiceError} illegal_argument_exception for that, where it is what a script came to
 */
export function nestedText(make: () => string): string {
  if (textDepth >= MAX_TEXT_DEPTH) throw textless('StackOverflowError', null)
  textDepth++
  try {
    const text = make()
    if (text.length > MAX_TEXT) throw textless('OutOfMemoryError', 'Java heap space')
    return text
  } finally {
    textDepth--
  }
}

function textless(className: string, message: string | null): Error {
  const thrown = fault(className, message)
  return isPaid() ? thrown : illegalArgument(`what a script came to has no text: ${thrown.message}`)
}

/** Java's `Collection`: lists, sets, queues and what maps show of themselves. */
export abstract class ScriptCollection extends ScriptObject {
  abstract size(): number
  /** Members in their order; a change meanwhile ends it with concurrent_modification_exception where Java's would. */
  abstract values(): IterableIterator<ScriptValue>
  abstract clear(): void
  /** Keeps the members a test does not tell to remove; whether any was removed. */
  abstract removeIf(test: (value: ScriptValue) => boolean): boolean

  /** @throws {ScriptFault} unsupported_operation_exception unless overridden */
  add(_value: ScriptValue, _run: ScriptRun): boolean {
    throw unsupported()
  }

  contains(value: ScriptValue): boolean {
    for (const member of this.values()) if (isEqualValue(member, value)) return true
    return false
  }

  /** Removes one member that equals a value. */
  removeValue(value: ScriptValue): boolean {
    let isDone = false
    return this.removeIf((member) => {
      if (isDone || !isEqualValue(member, value)) return false
      isDone = true
      return true
    })
  }

  override toText(): string {
    return nestedText(() => {
      let text = '['
      for (const value of this.values()) {
        countMembers(1)
        text += `${text === '[' ? '' : ', '}${value === this ? '(this Collection)' : textOf(value)}`
        if (text.length > MAX_TEXT) break
      }
      return `${text}]`
    })
  }
}

/** Java's refusal of what a collection does not do. */
export function unsupported(why: string | null = null): Error {
  return fault('UnsupportedOperationException', why)
}
