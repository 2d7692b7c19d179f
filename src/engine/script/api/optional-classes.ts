import { fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import { box, numberIn } from '../values/boxing.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { ScriptObject } from '../values/script-object.ts'
import { isEqualValue, type ScriptValue, textOf } from '../values/script-value.ts'
import { called, tested } from './call-function.ts'

/** Java's `Optional` and its kin for numbers. */
export class ScriptOptional extends ScriptObject {
  readonly #name: string
  /** Undefined: there is none. */
  readonly value: ScriptValue | undefined

  constructor(name: string, value: ScriptValue | undefined) {
    super()
    this.#name = name
    this.value = value
  }

  get className(): string {
    return `java.util.${this.#name}`
  }

  override toText(): string {
    return this.value === undefined ? `${this.#name}.empty` : `${this.#name}[${textOf(this.value)}]`
  }

  override isEqual(other: unknown): boolean {
    if (!(other instanceof ScriptOptional)) return false
    if (this.value === undefined || other.value === undefined) return this.value === other.value
    return isEqualValue(this.value, other.value)
  }
}

function presentIn(self: ScriptOptional): ScriptValue {
  if (self.value !== undefined) return self.value
  throw fault('java.util.NoSuchElementException', 'No value present')
}

function thrown(make: ScriptFunction): Error {
  const made = called(make).invoke()
  return made instanceof ScriptThrowable ? new ScriptFault(made) : fault('NullPointerException', null)
}

/** Name, type of the value, how it is asked for, and what the lambdas are called. */
type Kind = readonly [name: string, type: string, get: string, prefix: string]

const KINDS: readonly Kind[] = [
  ['Optional', 'def', 'get', ''],
  ['OptionalInt', 'int', 'getAsInt', 'Int'],
  ['OptionalLong', 'long', 'getAsLong', 'Long'],
  ['OptionalDouble', 'double', 'getAsDouble', 'Double'],
]

function held(type: string, value: ScriptValue): unknown {
  return type === 'def' ? value : numberIn(value)
}

function optional([name, type, get, prefix]: Kind): ClassDefinition {
  return {
    name,
    javaName: `java.util.${name}`,
    methods: {
      [`${type} ${get}()`]: (self: ScriptOptional) => held(type, presentIn(self)),
      [`void ifPresent(${prefix}Consumer)`]: (self: ScriptOptional, act: ScriptFunction) => {
        if (self.value !== undefined) called(act).invoke(self.value)
      },
      'boolean isPresent()': (self: ScriptOptional) => self.value !== undefined,
      [`${type} orElse(${type})`]: (self: ScriptOptional, fallback: unknown) =>
        self.value === undefined ? fallback : held(type, self.value),
      [`${type} orElseGet(${prefix}Supplier)`]: (self: ScriptOptional, make: ScriptFunction) =>
        held(type, self.value === undefined ? called(make).invoke() : self.value),
      [`${type} orElseThrow(Supplier)`]: (self: ScriptOptional, make: ScriptFunction) => {
        if (self.value === undefined) throw thrown(make)
        return held(type, self.value)
      },
      ...(type === 'def' ? OBJECT_METHODS : {}),
    },
    statics: {
      [`${name} empty()`]: () => new ScriptOptional(name, undefined),
      [`${name} of(${type})`]: (value: unknown) => {
        if (value === null) throw fault('NullPointerException', null)
        return new ScriptOptional(name, box(type, value))
      },
      ...(type === 'def'
        ? { 'Optional ofNullable(def)': (value: ScriptValue) => new ScriptOptional(name, value ?? undefined) }
        : {}),
    },
  }
}

const OBJECT_METHODS: NonNullable<ClassDefinition['methods']> = {
  'Optional filter(Predicate)': (self: ScriptOptional, test: ScriptFunction) =>
    self.value === undefined || tested(test, self.value) ? self : new ScriptOptional('Optional', undefined),
  'Optional flatMap(Function)': (self: ScriptOptional, make: ScriptFunction) =>
    self.value === undefined ? self : called(make).invoke(self.value),
  'Optional map(Function)': (self: ScriptOptional, make: ScriptFunction) =>
    self.value === undefined ? self : new ScriptOptional('Optional', called(make).invoke(self.value) ?? undefined),
}

/** `java.util.Optional` and its kin. */
export const OPTIONAL_CLASSES: readonly ClassDefinition[] = KINDS.map(optional)
