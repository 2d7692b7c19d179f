import { failedBaseCast } from '../../engine/java/java-class-text.ts'
import { javaClass } from '../../engine/mapping/java-text.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'

interface Classes {
  readonly 'java.lang.String': string
  readonly 'java.lang.Number': number | bigint
  readonly 'java.util.Map': { readonly [name: string]: JsonValue }
}

const IS: { readonly [wanted in keyof Classes]: (value: JsonValue) => boolean } = {
  'java.lang.String': (value) => typeof value === 'string',
  'java.lang.Number': (value) => typeof value === 'number' || typeof value === 'bigint',
  'java.util.Map': isObject,
}

/** A value of a map that the real servers take for one of that class without looking. @throws {ServiceError} class_cast_exception */
export function castTo<T extends keyof Classes>(value: JsonValue, wanted: T): Classes[T] {
  if (!IS[wanted](value)) throw failedBaseCast(isObject(value) ? 'java.util.HashMap' : javaClass(value), wanted)
  return value as Classes[T]
}
