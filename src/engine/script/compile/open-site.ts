import { castFailure, ownClassFailure } from '../../java/java-class-text.ts'
import type { ClassTable } from '../class-table.ts'
import { fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import { numericType } from '../values/boxing.ts'
import type { ScriptMethod } from '../values/script-class.ts'
import { ScriptObject } from '../values/script-object.ts'
import { boxedType, isPrimitive, rankOf, type ScriptType, unboxedType } from '../values/script-type.ts'
import { classNameOf, type ScriptValue } from '../values/script-value.ts'
import type { Frame } from './frame.ts'

/**
 * Where a value is read from an object whose class is seen only at run time (`params.x`, `doc['n'].value`, `x.size()`). Where
 * it is to be of some type, Java asks the site itself for that type, and has its own rules and words for it.
 */
export interface OpenSite {
  /** What is called there, as far as that can be told afterwards; undefined: a map or a list is looked into. */
  method(frame: Frame): ScriptMethod | undefined
  readonly args: readonly ScriptType[]
  /** Set for an operator, which is asked for the type by explicit casts as well, and tells no place of its own. */
  readonly operator?: string
}

/** An operator with operands whose types are seen only at run time. */
export function operatorSite(operator: string, ...args: readonly ScriptType[]): OpenSite {
  return { method: () => undefined, args, operator }
}

/** Operators that make of two numbers what these are: `&`, `|` and `^` may make a boolean as well. */
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

/** Takes a value of a site as one of a type. @param plain  how values are cast elsewhere */
export function fromSite(
  classes: ClassTable,
  site: OpenSite,
  to: ScriptType,
  plain: (value: unknown) => unknown,
): (value: unknown, frame: Frame) => unknown {
  // Several classes become one of these, for which the server has a method of its own.
  if (to === 'ZonedDateTime') return plain
  // A box is no other number's box, however small that is.
  if (!isPrimitive(to) && isPrimitive(unboxedType(to))) {
    return (value, frame) => {
      if (value === null || classes.isInstance(value as ScriptValue, to)) return value
      throw notConverted(classes, site, to, value as ScriptValue, frame)
    }
  }
  return (value, frame) => {
    try {
      return plain(value)
    } catch (error) {
      if (!(error instanceof ScriptFault)) throw error
      throw notConverted(classes, site, to, value as ScriptValue, frame)
    }
  }
}

function notConverted(classes: ClassTable, site: OpenSite, to: ScriptType, value: ScriptValue, frame: Frame): Error {
  const { at } = frame.run
  const method = site.method(frame)
  frame.run.at = at
  if (method !== undefined && !canBecome(classes, method.returns, to)) {
    const handle = `${shown([simple(method.owner), ...method.params.map(name)])}${name(method.returns)}`
    const wanted = `${shown(['Object', ...site.args.map(name)])}${name(to)}`
    const reason = `cannot convert MethodHandle${handle} to ${wanted}`
    return fault('java.lang.invoke.WrongMethodTypeException', reason)
  }
  const number = site.operator !== undefined && ARITHMETIC.has(site.operator) ? numericType(value) : undefined
  if (number !== undefined && !canBecome(classes, number, to)) return notOperated(classes, site, number, to)
  const found = classNameOf(value)
  if (!isPrimitive(to)) return fault('ClassCastException', `Cannot cast ${found} to ${javaName(classes, to)}`)
  if (value === null) return fault('NullPointerException', ofNoNumber(to))
  const isNumber = value instanceof ScriptObject && value.number !== undefined
  if (isNumber || isPrimitive(unboxedType(simple(found))))
    return fault('ClassCastException', `Cannot cast ${found} to ${javaName(classes, boxedType(to))}`)
  const failure = found.startsWith('java.') ? castFailure : ownClassFailure
  return fault('ClassCastException', failure(found, 'java.lang.Number'))
}

/** What an operator makes is of another type than is wanted, which is told of with what is used for it. */
function notOperated(classes: ClassTable, { args }: OpenSite, number: ScriptType, to: ScriptType): Error {
  const handle = `${shown(args.map(() => number))}${number}`
  const reason = `cannot convert MethodHandle${handle} to ${shown(args.map(name))}${name(to)}`
  const cause = new ScriptThrowable('java.lang.invoke.WrongMethodTypeException', reason)
  // Java tells which is which; of the classes that are no numbers' those that scripts name are nearly all interfaces.
  const kind = isPrimitive(to) ? '' : isPrimitive(unboxedType(to)) || to === 'String' ? 'class ' : 'interface '
  const told = `Cannot cast from: ${number} to ${kind}${javaName(classes, to)}`
  return new ScriptFault(new ScriptThrowable('java.lang.ClassCastException', told, cause))
}

const shown = (types: readonly string[]): string => `(${types.join(',')})`

/** Whether a method's result may become a type, by what it is declared to be (`MethodHandle.asType`). */
function canBecome(classes: ClassTable, from: ScriptType, to: ScriptType): boolean {
  if (from === 'void' || from === 'def' || from === 'Object' || from === to) return true
  const [own, wanted] = [unboxedType(from), unboxedType(to)]
  if (!isPrimitive(from) && !isPrimitive(to)) return true
  if (!isPrimitive(to)) return classes.isSubtype(boxedType(from), to)
  if (!isPrimitive(own)) return classes.isSubtype(boxedType(to), from)
  if (own === wanted) return true
  return own !== 'boolean' && wanted !== 'boolean' && wanted !== 'char' && rankOf(own) < rankOf(wanted)
}

function ofNoNumber(to: ScriptType): string {
  const number = to === 'char' || to === 'boolean' ? 'int' : to
  const converted = 'sun.invoke.util.ValueConversions.primitiveConversion(sun.invoke.util.Wrapper, Object, boolean)'
  return `Cannot invoke "java.lang.Number.${number}Value()" because the return value of "${converted}" is null`
}

function javaName(classes: ClassTable, type: ScriptType): string {
  return classes.named(type)?.javaName ?? type
}

function name(type: ScriptType): string {
  return type === 'def' ? 'Object' : simple(type)
}

/** A class without what it is in. */
function simple(javaName: string): string {
  return javaName.slice(Math.max(javaName.lastIndexOf('.'), javaName.lastIndexOf('$')) + 1)
}
