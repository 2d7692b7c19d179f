import type { Expression } from '../parse/ast.ts'
import { CompileFault, fault } from '../script-fault.ts'
import { box, convertNumber, notOf, notText, numberIn, numericType } from '../values/boxing.ts'
import { ScriptObject } from '../values/script-object.ts'
import { Box, classNameOf, type ScriptValue } from '../values/script-value.ts'
import { castTo } from './casts.ts'
import { binaryOf } from './compile-operator.ts'
import { type Place, placeOf } from './compile-place.ts'
import type { Compiler } from './compiler.ts'
import type { Frame } from './frame.ts'
import type { Scope } from './scope.ts'
import { constant, type Typed } from './typed.ts'
import { unassignable } from './unassignable.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>
type Store = NonNullable<Place['store']>

function writable(compiler: Compiler, target: Expression, scope: Scope): Place & { readonly store: Store } {
  if (target.kind !== 'variable' && target.kind !== 'field' && target.kind !== 'index') {
    // 6.8 does not say where.
    if (!compiler.isLater)
      throw new CompileFault(undefined, 'illegal_argument_exception', 'Left-hand side cannot be assigned a value.')
    throw new CompileFault(target.at, 'illegal_argument_exception', unassignable(target))
  }
  if (target.kind === 'field' && target.target.kind === 'type') {
    throw new CompileFault(
      target.at,
      'illegal_argument_exception',
      `Cannot write to read-only field [${target.name}] for type [${compiler.classes.shown(target.target.type)}].`,
    )
  }
  const place = placeOf(compiler, target, scope)
  const { store } = place
  if (store === undefined) {
    const name = target.kind === 'index' ? '' : target.name
    throw new CompileFault(
      place.at,
      'illegal_argument_exception',
      target.kind === 'variable' ? `Variable [${name}] is read-only.` : `Cannot write to read-only field [${name}].`,
    )
  }
  return { ...place, store }
}

/** `a = b`, `a += b`. @throws {CompileFault} */
export function compileAssign(compiler: Compiler, node: Node<'assign'>, scope: Scope): Typed {
  const { at, op } = node
  const place = writable(compiler, node.target, scope)
  if (op !== undefined) {
    const right = compiler.expression(node.value, scope)
    // Variables do not mark where they are read.
    return compound(compiler, place, op, right, node.value.kind === 'variable' ? place.at : right.at, false)
  }
  const value = given(compiler, node.value, scope, place).evaluate
  const { store, receiver, key, slot } = place
  const typed = { type: place.type, at, isStatement: true }
  if (slot !== undefined) {
    return {
      ...typed,
      evaluate: (frame) => {
        const written = value(frame)
        frame.slots[slot] = written
        return written
      },
    }
  }
  return {
    ...typed,
    evaluate: (frame) => {
      const object = receiver?.(frame)
      const index = key?.(frame)
      const written = value(frame)
      if (key === undefined || !place.isOpen || object instanceof ScriptObject) frame.run.at = place.at
      store(frame, object, index, written)
      return written
    },
  }
}

/** What a place is given: a `def` takes it on as it is, of two kinds of numbers that it may be the wider where the place is open. */
function given(compiler: Compiler, value: Expression, scope: Scope, { type, isOpen }: Place): Typed {
  return isOpen ? castTo(compiler.classes, compiler.expression(value, scope), type) : compiler.cast(value, scope, type)
}

/** `a++`, `--a`. @throws {CompileFault} */
export function compileIncrement(compiler: Compiler, node: Node<'increment'>, scope: Scope): Typed {
  const place = writable(compiler, node.target, scope)
  const { at } = node
  if (place.slot !== undefined && place.type === 'int') {
    const { slot } = place
    const { by, isPostfix } = node
    return {
      type: 'int',
      at,
      isStatement: true,
      evaluate: (frame) => {
        const old = frame.slots[slot] as number
        const next = (old + by) | 0
        frame.slots[slot] = next
        return isPostfix ? old : next
      },
    }
  }
  return compound(compiler, place, node.by === 1 ? '+' : '-', constant('int', 1, at), at, node.isPostfix)
}

/**
 * Reads, changes and writes a place; what it is written with is narrowed to it.
 *
 * @param isOld  whether the value before is the expression's
 */
function compound(
  compiler: Compiler,
  place: Place & { readonly store: Store },
  op: string,
  right: Typed,
  at: number,
  isOld: boolean,
): Typed {
  const { load, store, receiver, key, type } = place
  const holder: { value: unknown } = { value: undefined }
  // The operation reads its left side out of a slot of its own: runs may be in one another (a lambda that calls itself).
  const left: Typed = { type, at: place.at, evaluate: () => holder.value }
  // A text is made of what stands there, which must be one before it is known whether that place takes one.
  if (op === '+' && right.type === 'String' && type !== 'def') castTo(compiler.classes, left, 'String')
  const changed = castTo(compiler.classes, binaryOf(compiler, op, left, right, at, true), type, 'explicit').evaluate
  const isDynamic = type === 'def'
  const isText = isDynamic && op === '+' && right.type === 'String'
  const { isLater } = compiler
  const change = (frame: Frame, old: unknown): unknown => {
    holder.value = old
    // Since 7.0 what a text is added to must be one.
    if (isText && isLater && old !== null && typeof old !== 'string') throw notText(old as ScriptValue)
    const made = changed(frame)
    return isDynamic && !isText ? asBefore(old as ScriptValue, made as ScriptValue) : made
  }
  return {
    type,
    at,
    isStatement: true,
    evaluate: (frame) => {
      const object = receiver?.(frame)
      const index = key?.(frame)
      frame.run.at = place.at
      const old = load(frame, object, index)
      const next = change(frame, old)
      frame.run.at = place.at
      store(frame, object, index, next)
      return isOld ? old : next
    },
  }
}

/** A number that takes a number's place is narrowed to what was there, though its type is not known beforehand. */
function asBefore(old: ScriptValue, made: ScriptValue): ScriptValue {
  if (typeof old === 'number' && typeof made === 'number') return made
  const type =
    typeof old === 'number' ? 'int' : typeof old === 'bigint' ? 'long' : old instanceof Box ? old.kind : undefined
  if (typeof made === 'string' && typeof old !== 'string' && old !== null)
    throw type === undefined
      ? fault('ClassCastException', `Cannot cast java.lang.String to ${classNameOf(old)}`)
      : notOf(made, 'java.lang.Number')
  if (numericType(made) === undefined) return made
  if (type === undefined) {
    if (old instanceof ScriptObject && old.number !== undefined)
      throw fault('ClassCastException', `Cannot cast ${classNameOf(made)} to ${classNameOf(old)}`)
    return made
  }
  return box(type, convertNumber(numberIn(made), type))
}
