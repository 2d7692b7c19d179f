import type { ClassTable } from '../class-table.ts'
import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box, isBoxedOtherwise, unbox } from '../values/boxing.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ScriptMethod } from '../values/script-class.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { isPrimitive, type ScriptType, unboxedType } from '../values/script-type.ts'
import { classNameOf, type ScriptValue } from '../values/script-value.ts'
import { conversion } from './casts.ts'

/** The real server's words for a member of null. @param knownClass  of what stood there before, which it remembers as well */
function ofNull(knownClass = ''): Error {
  const name = knownClass === '' ? 'callArgs[0]' : 'receiver'
  return fault('NullPointerException', `Cannot invoke "Object.getClass()" because "${name}" is null`)
}

/** A class as messages name it. */
function shown(value: ScriptValue): string {
  return classNameOf(value).replaceAll('$', '.')
}

/** Arguments as a method takes them, from what a script has; lambdas are told what they stand for. */
export function bindArguments(
  classes: ClassTable,
  method: ScriptMethod,
): (args: readonly ScriptValue[]) => readonly unknown[] {
  const bindings = method.params.map((type) => {
    const functional = classes.functional(type)
    const convert = dynamicConversion(classes, type)
    if (functional === undefined) return convert
    return (value: unknown): unknown => {
      if (!(value instanceof ScriptFunction)) return convert(value)
      const { length } = functional.params
      if (value.reference?.has(length) === false)
        throw fault(
          'IllegalArgumentException',
          `function reference [${value.reference.text}/${length}] matching [${classes.named(type)?.javaName}, ${functional.name}/${length}] not found`,
        )
      if (value.arity === undefined || value.arity === length) return value
      throw fault(
        'IllegalArgumentException',
        `Incorrect number of parameters for [${functional.name}] in [class ${classes.named(type)?.javaName}]`,
      )
    }
  })
  return (args) => args.map((value, i) => (bindings[i] as (value: unknown) => unknown)(value))
}

/** How an argument becomes one of a method that is found as the script runs; Java words it otherwise than a cast. */
function dynamicConversion(classes: ClassTable, type: ScriptType): (value: unknown) => unknown {
  const convert = conversion(classes, 'def', type, 'plain') as (value: unknown) => unknown
  const javaName = classes.named(type)?.javaName
  if (javaName === undefined || isPrimitive(unboxedType(type)) || type === 'String' || type === 'Object') return convert
  return (value) => {
    if (value === null || value instanceof ScriptFunction || classes.isInstance(value as ScriptValue, type))
      return value
    throw fault('ClassCastException', `Cannot cast ${classNameOf(value as ScriptValue)} to ${javaName}`)
  }
}

/** Calls a method by its name on an object whose class is seen only now; remembers what it found for the next time. */
export function dynamicCaller(
  classes: ClassTable,
  name: string,
  arity: number,
): (target: ScriptValue, args: ScriptValue[], run: ScriptRun) => ScriptValue {
  let knownClass = ''
  let known: ScriptMethod | undefined
  let bind: ((args: readonly ScriptValue[]) => readonly unknown[]) | undefined
  return (target, args, run) => {
    if (target === null) throw ofNull(knownClass)
    const className = classNameOf(target)
    if (className !== knownClass || known === undefined) {
      known = classes.method(classes.of(target), name, arity)
      if (known === undefined) {
        throw fault('IllegalArgumentException', `dynamic method [${shown(target)}, ${name}/${arity}] not found`)
      }
      knownClass = className
      bind = arity === 0 ? undefined : bindArguments(classes, known)
    }
    if (typeof target === 'string') run.read(target)
    const method = known
    const result = bind === undefined ? method.call(target, run) : method.call(target, ...bind(args), run)
    return box(method.returns, result)
  }
}

/** Reads a property of an object whose class is seen only now. */
export function dynamicGetter(classes: ClassTable, name: string): (target: ScriptValue, run: ScriptRun) => ScriptValue {
  const index = /^\d+$/.test(name) ? Number(name) : undefined
  let knownClass = ''
  let known: ScriptMethod | undefined
  let isBoxed = false
  return (target, run) => {
    if (target === null) throw ofNull(knownClass)
    const className = classNameOf(target)
    if (className !== knownClass) {
      knownClass = className
      known = classes.getter(classes.of(target), name)
      isBoxed = known !== undefined && isBoxedOtherwise(known.returns)
    }
    if (known !== undefined) {
      const value = known.call(target, run)
      return isBoxed ? box(known.returns, value) : (value as ScriptValue)
    }
    if (target instanceof ScriptMap) return target.get(name)
    if (target instanceof ScriptList) return target.get(index ?? notIndex(name))
    if (target instanceof ScriptArray && name === 'length') return target.items.length
    throw fault('IllegalArgumentException', `dynamic getter [${shown(target)}, ${name}] not found`)
  }
}

/** Writes a property of an object whose class is seen only now. */
export function dynamicSetter(
  classes: ClassTable,
  name: string,
): (target: ScriptValue, value: ScriptValue, run: ScriptRun) => void {
  const index = /^\d+$/.test(name) ? Number(name) : undefined
  return (target, value, run) => {
    if (target === null) throw ofNull()
    const setter = classes.setter(classes.of(target), name)
    if (setter !== undefined) {
      setter.call(target, ...bindArguments(classes, setter)([value]), run)
    } else if (target instanceof ScriptMap) target.put(name, value, run)
    else if (target instanceof ScriptList) target.set(index ?? notIndex(name), value)
    else throw fault('IllegalArgumentException', `dynamic setter [${shown(target)}, ${name}] not found`)
  }
}

function notIndex(name: string): never {
  throw fault('IllegalArgumentException', `Illegal list shortcut value [${name}].`)
}

/** The place that an index names; from the end where it is negative. */
function placeIn(index: number, length: number): number {
  return index < 0 ? index + length : index
}

function notIndexable(target: ScriptValue): Error {
  return fault(
    'IllegalArgumentException',
    `Attempting to address a non-array-like type [${shown(target)}] as an array.`,
  )
}

/** `target[index]` where the types are seen only now. */
export function dynamicLoad(target: ScriptValue, index: ScriptValue): ScriptValue {
  if (target instanceof ScriptMap) return target.get(index)
  if (target instanceof ScriptList) return listLoad(target, unbox(index, 'int', false) as number)
  if (target instanceof ScriptArray) {
    return box(target.element, arrayLoad(target, unbox(index, 'int', false) as number))
  }
  if (target === null) throw ofNull()
  throw notIndexable(target)
}

/** `target[index] = value` where the types are seen only now. */
export function dynamicStore(
  classes: ClassTable,
  target: ScriptValue,
  index: ScriptValue,
  value: ScriptValue,
  run: ScriptRun,
): void {
  if (target instanceof ScriptMap) target.put(index, value, run)
  else if (target instanceof ScriptList) listStore(target, unbox(index, 'int', false) as number, value)
  else if (target instanceof ScriptArray) {
    const convert = conversion(classes, 'def', target.element, 'plain') as (value: unknown) => unknown
    arrayStore(target, unbox(index, 'int', false) as number, convert(value))
  } else throw target === null ? ofNull() : notIndexable(target)
}

/** `list[index]`. */
export function listLoad(list: ScriptList, index: number): ScriptValue {
  return list.get(placeIn(index, list.size()))
}

/** `list[index] = value`. */
export function listStore(list: ScriptList, index: number, value: ScriptValue): void {
  list.set(placeIn(index, list.size()), value)
}

/** `array[index]`. */
export function arrayLoad(array: ScriptArray, index: number): unknown {
  const place = placeIn(index, array.items.length)
  array.check(place)
  return array.items[place]
}

/** `array[index] = value`. */
export function arrayStore(array: ScriptArray, index: number, value: unknown): void {
  const place = placeIn(index, array.items.length)
  array.check(place)
  array.items[place] = value
}
