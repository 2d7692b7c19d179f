import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { notABoolean } from '../../../parse-boolean.ts'
import type { IndexAnalyzers } from '../../analysis/index-analyzers.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { javaText } from '../java-text.ts'
import { mapperParsing } from '../mapping-errors.ts'

/** Flat index settings as the mapping reads them (`index.mapping.…`, `index.similarity.…`). */
export type MappingSettings = Readonly<Record<string, string | readonly string[] | null>>

/** What reading and building mappings depends on; the same for all types of an index. */
export interface MappingScope {
  readonly engineVersion: EngineVersion
  readonly analyzers: IndexAnalyzers
  readonly settings: MappingSettings
  /** True while the mapping of an index that is there already is read: it keeps what an earlier build took. */
  readonly isStored?: boolean
  /** Hears of what a mapping says as it is read: up to a fault, where there is one. */
  readonly heard?: MappingListener | undefined
}

/** Hears of a mapping one thing after the other. */
export interface MappingListener {
  /**
   * Called before a parameter's value is looked at.
   *
   * @param field  last part of its path; empty for what is the whole mapping's
   * @param type   of the field; `fields` is heard of within multi-fields alone
   */
  readonly parameter: (field: string, type: string, parameter: string, value: unknown) => void
  /**
   * Called for a dynamic template that fits no kind of value it is for.
   *
   * @param template  as it is shown
   * @param reason    what is wrong with it for the last of them
   */
  readonly uselessTemplate: (name: string, template: unknown, reason: string) => void
}

/** The field a parameter is read for. */
export interface FieldScope extends MappingScope {
  /** Last part of the path, which is what 6.x's messages name. */
  readonly name: string
}

/** A parameter of a field type. */
export interface Parameter {
  readonly name: string
  /** Checks and normalizes a value. @throws {ServiceError} in the real server's words */
  readonly read: (value: unknown, scope: FieldScope) => unknown
  /** Value when not given; a value equal to it is not shown. */
  readonly fallback: unknown
  /** True: shown whenever it was given, and kept by a merge that does not give it. */
  readonly explicit?: true
  /**
   * Parts of the conflict message when a merge changes the value; none: the new value is taken.
   * Absent: any change is fine.
   */
  readonly conflict?: (from: unknown, to: unknown, path: string) => readonly string[]
  /** How 7.x names a value that cannot change; absent: as Java would. */
  readonly shown?: (value: unknown, engineVersion: EngineVersion) => string
  /** True: only OpenSearch knows it. */
  readonly isOpenSearch?: true
  /** True: only 6.x knows it. */
  readonly isLegacy?: true
  /** True: a merge silently keeps the old value. */
  readonly frozen?: true
}

/** Reads a boolean: JSON booleans and the texts `true` and `false`. `name` is how messages call it: `f.index`. */
export function readBoolean(value: unknown, name: string, scope?: MappingScope): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  const cause = notABoolean(javaText(value))
  if (scope !== undefined && scope.engineVersion !== 'Elasticsearch_6.8') throw cause
  throw illegalArgument(`Could not convert [${name}] to boolean`, cause)
}

/** Reads an int: numbers are cut, texts must be whole numbers. @throws {ServiceError} number_format_exception */
export function readInteger(value: unknown): number {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value
    throw new ServiceError('illegal_argument_exception', `${javaText(value)} is not an integer value`)
  }
  const text = javaText(value)
  if (!/^[+-]?\d+$/.test(text) || Math.abs(Number(text)) > 0x80000000) {
    throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  }
  return Number(text)
}

/** Reads a double. @throws {ServiceError} number_format_exception */
export function readDouble(value: unknown): number {
  if (typeof value === 'number') return value
  const text = javaText(value)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  return number
}

/** Reads a text. */
export function readText(value: unknown): string {
  return javaText(value)
}

/** A parameter that is a boolean. */
export function booleanParameter(name: string, fallback: boolean, more: Partial<Parameter> = {}): Parameter {
  return { name, fallback, read: (value, scope) => readBoolean(value, `${scope.name}.${name}`, scope), ...more }
}

/** A conflict that refuses any change: `mapper [f] has different [<what>] values`. */
export function differentValues(what: string): (from: unknown, to: unknown, path: string) => readonly string[] {
  return (_from, _to, path) => [`mapper [${path}] has different [${what}] values`]
}

/** Refuses null for parameters that the real server wants a value for. */
export function refuseNull(value: unknown, name: string): void {
  if (value === null) throw mapperParsing(`Property [${name}] cannot be null.`)
}
