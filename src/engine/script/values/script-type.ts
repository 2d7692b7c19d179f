/**
 * A type as scripts write it: `int`, `def`, `List`, `Map.Entry`, `double[]`.
 *
 * Values whose type is known are held as follows: `int`, `short`, `byte`, `char`, `float` and `double` as JavaScript
 * numbers, `long` as bigint, `boolean` as boolean, all else as a {@link ScriptValue}.
 */
export type ScriptType = string

const PRIMITIVES = new Set(['boolean', 'byte', 'short', 'char', 'int', 'long', 'float', 'double'])

/** Whether a type is one of Java's primitive ones. */
export function isPrimitive(type: ScriptType): boolean {
  return PRIMITIVES.has(type)
}

const RANKS = new Map<ScriptType, number>([
  ['byte', 1],
  ['short', 2],
  ['char', 2],
  ['int', 3],
  ['long', 4],
  ['float', 5],
  ['double', 6],
])

/** Place of a numeric primitive among the wider and the narrower ones; 0: not numeric. */
export function rankOf(type: ScriptType): number {
  return RANKS.get(type) ?? 0
}

const BOXED = new Map<ScriptType, ScriptType>([
  ['boolean', 'Boolean'],
  ['byte', 'Byte'],
  ['short', 'Short'],
  ['char', 'Character'],
  ['int', 'Integer'],
  ['long', 'Long'],
  ['float', 'Float'],
  ['double', 'Double'],
])
const UNBOXED = new Map([...BOXED].map(([primitive, boxed]) => [boxed, primitive]))

/** The class of a primitive's objects; the type itself where it is none. */
export function boxedType(type: ScriptType): ScriptType {
  return BOXED.get(type) ?? type
}

/** The primitive of a class like `Integer`; the type itself where there is none. */
export function unboxedType(type: ScriptType): ScriptType {
  return UNBOXED.get(type) ?? type
}

/** What an array type is an array of; undefined: it is none. */
export function elementType(type: ScriptType): ScriptType | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined
}
