import { ERROR_STATUS, type ErrorType, NO_REASON, ServiceError } from '../../errors.ts'
import { laterWords } from './parse/later-words.ts'
import type { ScriptContext } from './script-context.ts'
import { asScriptFault, CompileFault, ScriptExplanation, ScriptLimit, type ScriptThrowable } from './script-fault.ts'

/** Code units of the source that are shown before and behind a fault in it. */
const AROUND = 25

/** A fault in a script's text as the caller is told of it. */
export function compileError(error: unknown, source: string, context: ScriptContext): unknown {
  const { isLater } = context
  const told = (at: number | undefined, cause: ServiceError): ServiceError => {
    if (at === undefined) return scriptError('compile error', source, [], cause)
    const position = { offset: at, start: Math.max(0, at - AROUND), end: Math.min(source.length, at + AROUND) }
    const more = isLater ? { position } : {}
    return scriptError('compile error', source, snippetAt(source, position), cause, more)
  }
  // Too deep for our stack, as it is for the real server's.
  if (error instanceof RangeError) return told(0, new ServiceError('stack_overflow_error', NO_REASON))
  if (!(error instanceof CompileFault)) return error
  const { innerType, errorType, reason } = error
  const inner = innerType === undefined ? undefined : new ServiceError(typeNamed(innerType), NO_REASON)
  const words = isLater && reason !== null ? named(laterWords(reason), context) : reason
  return told(error.at, new ServiceError(typeNamed(errorType), words as string, { cause: inner }))
}

/** A run of a script, and the offset in the source where it ended. */
interface EndedRun {
  readonly source: string
  /** What it is called by: its name where it is stored, else its text. */
  readonly name: string
  readonly context: ScriptContext
  readonly at: number
  /** Where statements begin. */
  readonly starts: readonly number[]
}

/** What went wrong in a run as the caller is told of it. */
export function runtimeError(error: unknown, { source, name, context, at, starts }: EndedRun): unknown {
  const start = starts.findLast((offset) => offset <= at) ?? 0
  const end = starts.find((offset) => offset > at) ?? source.length
  const isKnown = at >= 0
  const stack = isKnown
    ? [source.slice(start, end), `${' '.repeat(at - start)}^---- HERE`]
    : ['<<< unknown portion of script >>>']
  const told = (cause: ServiceError, explained?: Readonly<Record<string, unknown>>): ServiceError => {
    const more = context.isLater && isKnown ? { position: { offset: at, start, end } } : {}
    return scriptError('runtime error', name, stack, cause, more, explained)
  }
  if (error instanceof ScriptExplanation) {
    return told(new ServiceError('painless_explain_error', NO_REASON), error.members)
  }
  const thrown = asScriptFault(error)
  if (thrown !== undefined) return told(causeOf(thrown.throwable, context))
  // What an engine says by itself is said as it is.
  if (error instanceof ServiceError && error.type === 'general_script_exception') return error
  // What functions of a place find wrong with their arguments.
  if (error instanceof ServiceError && error.status === 400) return told(error)
  if (error instanceof ScriptLimit) {
    return told(new ServiceError(error.errorType, error.reason as string))
  }
  if (error instanceof RangeError && !/stack/.test(error.message)) {
    return told(new ServiceError('out_of_memory_error', 'Java heap space'))
  }
  if (error instanceof RangeError) {
    return told(new ServiceError('stack_overflow_error', NO_REASON))
  }
  return error
}

function causeOf({ className, message, cause }: ScriptThrowable, context: ScriptContext): ServiceError {
  return new ServiceError(typeNamed(exceptionName(className)), message === null ? NO_REASON : named(message, context), {
    cause: cause === undefined ? undefined : causeOf(cause, context),
    isJava: className.startsWith('java.'),
  })
}

/** A message with the names that the server's classes have. */
function named(message: string, { javaPackage }: ScriptContext): string {
  return javaPackage === undefined ? message : message.replaceAll('org.elasticsearch.', `${javaPackage}.`)
}

/** `java.lang.ArithmeticException` as `arithmetic_exception`. */
function exceptionName(className: string): string {
  const simple = className.slice(className.lastIndexOf('.') + 1).replace(/^Elasticsearch/, '')
  return simple.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
}

function typeNamed(name: string): ErrorType {
  return Object.hasOwn(ERROR_STATUS, name) ? (name as ErrorType) : 'exception'
}

/** Where something is in a source, and the part of it that is shown. */
interface Position {
  readonly offset: number
  readonly start: number
  readonly end: number
}

function snippetAt(source: string, { offset, start, end }: Position): readonly string[] {
  const isCut = start > 0
  const snippet = `${isCut ? '... ' : ''}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`
  const pointer = `${' '.repeat((isCut ? 4 : 0) + offset - start)}^---- HERE`
  return [snippet, pointer]
}

function scriptError(
  reason: string,
  script: string,
  stack: readonly string[],
  cause: ServiceError,
  more: Readonly<Record<string, unknown>> = {},
  explained: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError('script_exception', reason, {
    cause,
    metadata: { ...explained, script_stack: stack, script, lang: 'painless', ...more },
  })
}
