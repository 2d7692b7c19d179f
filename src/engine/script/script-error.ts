import { ERROR_STATUS, type ErrorType, ServiceError } from '../../errors.ts'
import { CompileFault, ScriptFault, ScriptLimit, type ScriptThrowable } from './script-fault.ts'

/** Code units of the source that are shown before a fault. */
const BEFORE = 25

/** Code units of the source that are shown. */
const SHOWN = 50

/** A fault in a script's text as the caller is told of it. */
export function compileError(error: unknown, source: string): unknown {
  if (error instanceof RangeError) {
    // Too deep for our stack, as it is for the real server's.
    return scriptError('compile error', source, 0, new ServiceError('stack_overflow_error', ''))
  }
  if (!(error instanceof CompileFault)) return error
  const inner =
    error.innerType === undefined ? undefined : new ServiceError(typeNamed(error.innerType), null as unknown as string)
  const cause = new ServiceError(typeNamed(error.errorType), error.reason as string, { cause: inner })
  return scriptError('compile error', source, error.at, cause)
}

/** What went wrong in a run as the caller is told of it. */
export function runtimeError(error: unknown, source: string, at: number): unknown {
  if (error instanceof ScriptFault) return scriptError('runtime error', source, at, causeOf(error.throwable))
  if (error instanceof ScriptLimit) {
    return scriptError('runtime error', source, at, new ServiceError(error.errorType, error.reason as string))
  }
  if (error instanceof RangeError) {
    return scriptError('runtime error', source, at, new ServiceError('stack_overflow_error', null as unknown as string))
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

function scriptError(reason: string, source: string, at: number, cause: ServiceError): ServiceError {
  const start = Math.max(0, at - BEFORE)
  const end = Math.min(source.length, start + SHOWN)
  const isCut = start > 0
  const snippet = `${isCut ? '... ' : ''}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`
  const pointer = `${' '.repeat((isCut ? 4 : 0) + at - start)}^---- HERE`
  return new ServiceError('script_exception', reason, {
    cause,
    metadata: { script_stack: [snippet, pointer], script: source, lang: 'painless' },
  })
}
