import type { Expression } from '../parse/ast.ts'
import { CompileFault, fault } from '../script-fault.ts'
import type { ScriptArray } from '../values/script-array.ts'
import type { ScriptMethod } from '../values/script-class.ts'
import type { ScriptList } from '../values/script-list.ts'
import type { ScriptMap } from '../values/script-map.ts'
import { boxedType, elementType, type ScriptType } from '../values/script-type.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { castTo } from './casts.ts'
import type { Compiler } from './compiler.ts'
import {
  arrayLoad,
  arrayStore,
  dynamicGetter,
  dynamicLoad,
  dynamicSetter,
  dynamicStore,
  listLoad,
  listStore,
} from './dynamic-member.ts'
import type { Evaluate, Frame } from './frame.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'
import { checkName } from './unused-value.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** What can be read and assigned to: a variable, a property, a place of a list, map or array. */
export interface Place {
  readonly type: ScriptType
  readonly at: number
  /** Place of a variable in the frame; no object is needed then. */
  readonly slot?: number
  readonly receiver?: Evaluate
  readonly key?: Evaluate
  /** Set where the object's own type is not known: what is put there keeps the type that it has by itself. */
  readonly isOpen?: boolean
  /** What reads it, where that is asked of the object's own class ({@link isOpen}). */
  readonly getter?: (object: unknown) => ScriptMethod | undefined
  /** Set where reading it changes nothing and gives the same again. */
  readonly isPure?: boolean
  readonly load: (frame: Frame, object: unknown, key: unknown) => unknown
  /** Undefined: it cannot be written. */
  readonly store?: (frame: Frame, object: unknown, key: unknown, value: unknown) => void
}

/** The place that an expression names. @throws {CompileFault} */
export function placeOf(
  compiler: Compiler,
  node: Node<'variable'> | Node<'field'> | Node<'index'>,
  scope: Scope,
): Place {
  if (compiler.isLater) checkName(node, scope)
  switch (node.kind) {
    case 'variable':
      return variablePlace(node, scope)
    case 'field':
      return fieldPlace(compiler, node, scope)
    case 'index':
      return indexPlace(compiler, node, scope)
  }
}

function variablePlace({ name, at }: Node<'variable'>, scope: Scope): Place {
  const variable = scope.lookup(name)
  if (variable === undefined) {
    throw new CompileFault(at, 'illegal_argument_exception', `Variable [${name}] is not defined.`)
  }
  const { slot, type, isReadOnly } = variable
  const place = { type, at, slot, load: (frame: Frame) => frame.slots[slot] }
  if (isReadOnly) return place
  return {
    ...place,
    store: (frame, _object, _key, value) => {
      frame.slots[slot] = value
    },
  }
}

function notNull<T>(object: unknown): T {
  if (object === null) throw fault('NullPointerException', null)
  return object as T
}

function fieldPlace(compiler: Compiler, { target, name, at }: Node<'field'>, scope: Scope): Place {
  const { classes } = compiler
  const object = compiler.expression(target, scope)
  const receiver = object.evaluate
  const { isPure = false } = object
  if (object.type === 'def') {
    const load = dynamicGetter(classes, name)
    const store = dynamicSetter(classes, name)
    return {
      type: 'def',
      at,
      isOpen: true,
      getter: (value) => (value === null ? undefined : classes.getter(classes.of(value as ScriptValue), name)),
      isPure,
      receiver,
      load: (frame, value) => load(value as ScriptValue, frame.run),
      store: (frame, value, _key, written) => store(value as ScriptValue, written as ScriptValue, frame.run),
    }
  }
  if (elementType(object.type) !== undefined) {
    if (name !== 'length') throw fieldNotFound(compiler, object.type, name, at)
    return { type: 'int', at, receiver, load: (_frame, array) => notNull<ScriptArray>(array).items.length }
  }
  const owner = classes.named(boxedType(object.type))
  if (owner === undefined) throw fieldNotFound(compiler, object.type, name, at)
  const boxed = castTo(classes, object, boxedType(object.type), 'internal').evaluate
  const getter = classes.getter(owner, name)
  const setter = classes.setter(owner, name)
  if (getter !== undefined || setter !== undefined) {
    return {
      type: getter?.returns ?? (setter?.params[0] as string),
      at,
      receiver: boxed,
      load: (frame, value) => {
        notNull(value)
        if (getter === undefined) throw fault('IllegalArgumentException', `Illegal read operation on field [${name}].`)
        return getter.call(value, frame.run)
      },
      ...(setter === undefined
        ? {}
        : {
            store: (frame, value, _key, written) => {
              notNull(value)
              setter.call(value, written, frame.run)
            },
          }),
    }
  }
  if (classes.isSubtype(owner.name, 'Map')) {
    return {
      type: 'def',
      at,
      isPure,
      receiver,
      load: (_frame, map) => notNull<ScriptMap>(map).get(name),
      store: (frame, map, _key, value) => {
        notNull(map)
        ;(map as ScriptMap).put(name, value as ScriptValue, frame.run)
      },
    }
  }
  if (classes.isSubtype(owner.name, 'List')) {
    if (!/^\d+$/.test(name)) {
      throw new CompileFault(at, 'class_cast_exception', 'Cannot cast from [java.lang.String] to [int].')
    }
    const index = Number(name)
    return {
      type: 'def',
      at,
      isPure,
      receiver,
      load: (_frame, list) => notNull<ScriptList>(list).get(index),
      store: (_frame, list, _key, value) => {
        notNull(list)
        ;(list as ScriptList).set(index, value as ScriptValue)
      },
    }
  }
  throw fieldNotFound(compiler, object.type, name, at)
}

function fieldNotFound({ classes }: Compiler, type: ScriptType, name: string, at: number): CompileFault {
  return new CompileFault(at, 'illegal_argument_exception', `field [${classes.shown(type)}, ${name}] not found`)
}

function indexPlace(compiler: Compiler, { target, index, at }: Node<'index'>, scope: Scope): Place {
  const { classes } = compiler
  const object = compiler.expression(target, scope)
  const receiver = object.evaluate
  const place = (type: ScriptType, key: Typed) => ({
    type,
    at,
    receiver,
    key: key.evaluate,
    isPure: object.isPure === true && key.isPure === true,
  })
  if (object.type === 'def') {
    return {
      ...place('def', compiler.cast(index, scope, 'def')),
      isOpen: true,
      load: (_frame, value, key) => dynamicLoad(value as ScriptValue, key as ScriptValue),
      store: (frame, value, key, written) =>
        dynamicStore(classes, value as ScriptValue, key as ScriptValue, written as ScriptValue, frame.run),
    }
  }
  const element = elementType(object.type)
  if (element !== undefined) {
    return {
      ...place(element, compiler.cast(index, scope, 'int')),
      load: (_frame, array, key) => arrayLoad(notNull<ScriptArray>(array), key as number),
      store: (_frame, array, key, value) => {
        notNull(array)
        arrayStore(array as ScriptArray, key as number, value)
      },
    }
  }
  if (classes.isSubtype(object.type, 'Map')) {
    return {
      ...place('def', compiler.cast(index, scope, 'def')),
      load: (frame, map, key) => {
        notNull(map)
        // What the map says is told of the key.
        frame.run.at = index.at
        const value = (map as ScriptMap).get(key as ScriptValue)
        frame.run.at = at
        return value
      },
      store: (frame, map, key, value) => {
        notNull(map)
        ;(map as ScriptMap).put(key as ScriptValue, value as ScriptValue, frame.run)
      },
    }
  }
  if (classes.isSubtype(object.type, 'List')) {
    return {
      ...place('def', compiler.cast(index, scope, 'int')),
      load: (_frame, list, key) => listLoad(notNull<ScriptList>(list), key as number),
      store: (_frame, list, key, value) => {
        notNull(list)
        listStore(list as ScriptList, key as number, value as ScriptValue)
      },
    }
  }
  throw new CompileFault(
    at,
    'illegal_argument_exception',
    `Illegal array access on type [${classes.shown(object.type)}].`,
  )
}
