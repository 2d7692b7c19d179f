import { ERROR_STATUS, type ErrorType, ServiceError } from '../../errors.ts'
import { asScriptFault, CompileFault, ScriptExplanation, ScriptLimit, type ScriptThrowable } from './script-fault.ts'

/** Code units of the source that are shown before and behind a fault in it. */
const AROUND = 25

/** The reason of an error that has none, as the real server writes it: null. */
const NO_REASON = null as unknown as string

/** A fault in a script's text as the caller is told of it. */
export function compileError(error: unknown, source: string): unknown {
  if (error instanceof RangeError) {
    // Too deep for our stack, as it is for the real server's.
    return scriptError(
      'compile error',
      source,
      snippetAt(source, 0),
      new ServiceError('stack_overflow_error', NO_REASON),
    )
  }
  if (!(error instanceof CompileFault)) return error
  const inner = error.innerType === undefined ? undefined : new ServiceError(typeNamed(error.innerType), NO_REASON)
  const cause = new ServiceError(typeNamed(error.errorType), error.reason as string, { cause: inner })
  return scriptError('compile error', source, snippetAt(source, error.at), cause)
}

/** What went wrong in a run as the caller is told of it. */
export function runtimeError(error: unknown, source: string, at: number, starts: readonly number[]): unknown {
  const start = starts.findLast((offset) => offset <= at) ?? 0
  const end = starts.find((offset) => offset > at) ?? source.length
  const stack = [source.slice(start, end), `${' '.repeat(at - start)}^---- HERE`]
  const told = (cause: ServiceError, more?: Readonly<Record<string, unknown>>): ServiceError =>
    scriptError('runtime error', source, stack, cause, more)
  if (error instanceof ScriptExplanation) {
    return told(new ServiceError('painless_explain_error', NO_REASON), error.members)
  }
  const thrown = asScriptFault(error)
  if (thrown !== undefined) return told(causeOf(thrown.throwable))
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

function causeOf({ className, message, cause }: ScriptThrowable): ServiceError {
  return new ServiceError(typeNamed(exceptionName(className)), message as string, {
    cause: cause === undefined ? undefined : causeOf(cause),
  })
}

/** `java.lang.ArithmeticException` as `arithmetic_exception`. */
function exceptionName(className: string): string {
  const simple = className.slice(className.lastIndexOf('.') + 1).replace(/^Elasticsearch/, '')
  return simple.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
}

function typeNamed(name: string): ErrorType {
  return Object.hasOwn(ERROR_STATUS, name) ? (name as ErrorType) : 'exception'
}

function snippetAt(source: string, at: number): readonly string[] {
  const start = Math.max(0, at - AROUND)
  const end = Math.min(source.length, at + AROUND)
  const isCut = start > 0
  const snippet = `${isCut ? '... ' : ''}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`
  const pointer = `${' '.repeat((isCut ? 4 : 0) + at - start)}^---- HERE`
  return [snippet, pointer]
}

function scriptError(
  reason: string,
  source: string,
  stack: readonly string[],
  cause: ServiceError,
  more: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError('script_exception', reason, {
    cause,
    metadata: { ...more, script_stack: stack, script: source, lang: 'painless' },
  })
}
