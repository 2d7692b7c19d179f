import type { ClassTable } from '../class-table.ts'
import { CompileFault, ScriptFault } from '../script-fault.ts'
import { box, charOf, convertNumber, isBoxedOtherwise, notOf, notText, unbox } from '../values/boxing.ts'
import { doubleByLane, laneOf } from '../values/number-lane.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { boxedType, isPrimitive, rankOf, type ScriptType, unboxedType } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import type { Evaluate } from './frame.ts'
import { fromSite } from './open-site.ts'
import type { Typed } from './typed.ts'

/** Turns a value held as one type into one held as another. */
export type Conversion = (value: unknown) => unknown

const same: Conversion = (value) => value

/**
 * Where a value is cast: `explicit` by the script's own word, `internal` where it is handed over (arguments, results, members of
 * literals, turns of a loop) and there alone boxed and unboxed.
 */
export type CastKind = 'plain' | 'explicit' | 'internal'

/** How a type's values become another's; undefined: they do not. */
export function conversion(
  classes: ClassTable,
  from: ScriptType,
  to: ScriptType,
  kind: CastKind,
): Conversion | undefined {
  const isExplicit = kind === 'explicit'
  if (from === to) return same
  if (from === 'void' || to === 'void') return undefined
  if (to === 'def') return boxing(from)
  if (from === 'def') return fromUnknown(classes, to, isExplicit)
  const isBoxed = isPrimitive(from) !== isPrimitive(to)
  const isOfTexts = (from === 'char' && to === 'String') || (from === 'String' && to === 'char')
  if (isBoxed && kind !== 'internal' && !isOfTexts) return undefined
  if (to === 'Object') return boxing(from)
  if (isPrimitive(from)) {
    if (isPrimitive(to)) return primitiveConversion(from, to, isExplicit)
    if (from === 'char' && to === 'String' && isExplicit) return (value) => String.fromCharCode(value as number)
    const own = unboxedType(to)
    if (isPrimitive(own)) {
      const inner = primitiveConversion(from, own, isExplicit)
      return inner === undefined ? undefined : (value) => box(own, inner(value))
    }
    return classes.isSubtype(boxedType(from), to) ? boxing(from) : undefined
  }
  if (isPrimitive(to)) {
    if (from === 'String' && to === 'char' && isExplicit) return (value) => charOf(value as string)
    const own = unboxedType(from)
    if (!isPrimitive(own)) return undefined
    const inner = primitiveConversion(own, to, isExplicit)
    return inner === undefined ? undefined : (value) => inner(unbox(value as ScriptValue, own, true))
  }
  if (classes.isSubtype(from, to)) return same
  if (isExplicit && classes.isSubtype(to, from)) return checkedCast(classes, to, notOf)
  return undefined
}

function boxing(from: ScriptType): Conversion {
  return isBoxedOtherwise(from) ? (value) => box(from, value) : same
}

function primitiveConversion(from: ScriptType, to: ScriptType, isExplicit: boolean): Conversion | undefined {
  if (from === to) return same
  if (from === 'boolean' || to === 'boolean') return undefined
  const isWider = rankOf(from) < rankOf(to) && to !== 'char'
  if (!isWider && !isExplicit) return undefined
  if (isWider && to !== 'long' && to !== 'float' && from !== 'long') return same
  return (value) => convertNumber(value as number | bigint, to)
}

/** Conversion of a value whose class is seen only at run time. */
function fromUnknown(classes: ClassTable, to: ScriptType, isExplicit: boolean): Conversion {
  if (isPrimitive(to)) return (value) => unbox(value as ScriptValue, to, isExplicit)
  const own = unboxedType(to)
  if (isPrimitive(own))
    return (value) => (value === null ? null : box(own, unbox(value as ScriptValue, own, isExplicit, true)))
  return checkedCast(classes, to, (value, javaName) =>
    to === 'String' && classes.isLater ? notText(value, isExplicit) : notOf(value, javaName),
  )
}

/** Conversion of an object to a class that it may be of. @param refused  what is told where it is not */
function checkedCast(
  classes: ClassTable,
  to: ScriptType,
  refused: (value: ScriptValue, javaName: string) => Error,
): Conversion {
  const functional = classes.functional(to)
  return (value) => {
    if (value === null || classes.isInstance(value as ScriptValue, to)) return value
    if (functional !== undefined && value instanceof ScriptFunction) return value
    throw refused(value as ScriptValue, classes.named(to)?.javaName ?? to)
  }
}

/** An expression as one of another type. @throws {CompileFault} class_cast_exception */
export function castTo(classes: ClassTable, typed: Typed, to: ScriptType, kind: CastKind = 'plain'): Typed {
  const { type: from, at, evaluate, site } = typed
  if (from === to) return typed
  const convert = conversion(classes, from, to, kind)
  if (convert === undefined) throw cannotCastTypes(classes, from, to, at)
  if (typed.constant !== undefined) {
    // Of texts that are no char it is not told where they stand.
    const told = from === 'String' && to === 'char' ? undefined : at
    const value = foldAt(told, () => convert(typed.constant?.value))
    return { type: to, at, evaluate: () => value, constant: { value }, isPure: true }
  }
  const lane = to === 'def' || to === 'Object' ? laneOf(typed) : undefined
  if (convert === same) return { ...typed, type: to, lane }
  const isOperator = site?.operator !== undefined
  const isPlain = site === undefined || (kind === 'explicit' && !isOperator)
  const asked = isPlain ? convert : fromSite(classes, site, to, convert)
  const converted: Evaluate = (frame) => {
    const value = evaluate(frame)
    if (!isOperator) frame.run.at = at
    return asked(value, frame)
  }
  const unboxed = from === 'def' && to === 'double' ? laneOf(typed) : undefined
  const { site: _, ...rest } = typed
  return {
    ...rest,
    type: to,
    lane,
    evaluate: unboxed === undefined ? converted : doubleByLane(unboxed, converted, at),
  }
}

/** Runs what is done beforehand; its fault is one of the script's text. */
export function foldAt<T>(at: number | undefined, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    const { className, message } = error.throwable
    const type = className === 'java.lang.ArithmeticException' ? 'arithmetic_exception' : 'class_cast_exception'
    throw new CompileFault(at, type, message)
  }
}

/** The real server's refusal of a cast. */
function cannotCastTypes(classes: ClassTable, from: ScriptType, to: ScriptType, at: number): CompileFault {
  return new CompileFault(
    at,
    'class_cast_exception',
    `Cannot cast from [${classes.shown(from)}] to [${classes.shown(to)}].`,
  )
}
