import { type ErrorType, ServiceError } from '../../../errors.ts'
import { castFailure } from '../../java/java-class-text.ts'
import { Box, classNameOf, type ScriptValue, textOf } from '../../script/values/script-value.ts'

/** What the real server's Java says of a script without a result where one is wanted. */
const NO_NUMBER =
  'Cannot invoke "java.lang.Number.doubleValue()" because the return value of "org.elasticsearch.painless.ScriptImpl.run()" is null'
const NO_TEXT = 'Cannot invoke "Object.toString()" because "run" is null'

/** An error that every shard answers with as it is. */
function failure(type: ErrorType, reason: string): ServiceError {
  return new ServiceError(type, reason, { inQueryPhase: true })
}

/**
 * A script's result as a number; whole ones of 64 bits as bigint.
 *
 * @throws {ServiceError} null_pointer_exception, class_cast_exception
 */
export function numberResult(value: ScriptValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null) throw failure('null_pointer_exception', NO_NUMBER)
  if (value instanceof Box && value.kind !== 'char') return value.value
  throw failure('class_cast_exception', castFailure(classNameOf(value), 'java.lang.Number'))
}

/** A script's result as text. @throws {ServiceError} null_pointer_exception */
export function textResult(value: ScriptValue): string {
  if (value === null) throw failure('null_pointer_exception', NO_TEXT)
  return textOf(value)
}
