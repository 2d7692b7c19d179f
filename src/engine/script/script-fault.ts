import { ScriptObject } from './values/script-object.ts'

/** A Java exception as scripts see it. */
export class ScriptThrowable extends ScriptObject {
  readonly className: string
  readonly message: string | null
  readonly cause: ScriptThrowable | undefined
  /** Offset in the source where a script made it: Java tells that, not where it is thrown. */
  madeAt: number | undefined

  constructor(className: string, message: string | null, cause?: ScriptThrowable) {
    super()
    this.className = className
    this.message = message
    this.cause = cause
  }

  override toText(): string {
    return this.message === null ? this.className : `${this.className}: ${this.message}`
  }
}

/** A Java exception on its way out of a script: thrown by what a script calls, and by `throw`. */
export class ScriptFault extends Error {
  readonly throwable: ScriptThrowable

  constructor(throwable: ScriptThrowable) {
    super(throwable.toText())
    this.throwable = throwable
  }
}

/** A fault by Java's class name, short for those of `java.lang`. */
export function fault(className: string, message: string | null): ScriptFault {
  return new ScriptFault(new ScriptThrowable(className.includes('.') ? className : `java.lang.${className}`, message))
}

/** What went wrong in a run as Java's exception, where it is one: an object that was null was used as if it were not. */
export function asScriptFault(error: unknown): ScriptFault | undefined {
  if (error instanceof ScriptFault) return error
  return error instanceof TypeError ? fault('NullPointerException', null) : undefined
}

/** What a script is told that goes through, makes or nests too much. Scripts cannot catch it. */
export class ScriptLimit extends Error {
  readonly errorType: 'painless_error' | 'stack_overflow_error' | 'circuit_breaking_exception'
  readonly reason: string | null

  constructor(errorType: ScriptLimit['errorType'], reason: string | null) {
    super(reason ?? errorType)
    this.errorType = errorType
    this.reason = reason
  }
}

/** A fault in a script's text: where it is and what the real server says of it. */
export class CompileFault extends Error {
  /** Offset in the source, in UTF-16 code units; undefined: the real server does not tell it. */
  readonly at: number | undefined
  readonly errorType: string
  readonly reason: string | null
  /** `error.type` of what caused it in the real server, whose reason is always null. */
  readonly innerType: string | undefined

  constructor(at: number | undefined, errorType: string, reason: string | null, innerType?: string) {
    super(reason ?? errorType)
    this.at = at
    this.errorType = errorType
    this.reason = reason
    this.innerType = innerType
  }
}

/** What `Debug.explain` ends a script with. */
export class ScriptExplanation extends Error {
  /** `painless_class`, `to_string`, `java_class`. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(members: Readonly<Record<string, unknown>>) {
    super('painless_explain_error')
    this.members = members
  }
}
