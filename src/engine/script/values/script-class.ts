import type { ScriptType } from './script-type.ts'

/** What a method does; gets the object (unless static), the arguments and the {@link ScriptRun}. */
export type Implementation = (...values: unknown[]) => unknown

/** A method, constructor or static method that scripts may call. */
export interface ScriptMethod {
  readonly name: string
  readonly params: readonly ScriptType[]
  readonly returns: ScriptType
  /** Java's name of the class that has it. */
  readonly owner: string
  readonly call: Implementation
}

/**
 * How a class is written down: Java's signatures with what they do. Arguments and results are held as {@link ScriptType}
 * says (`double` a number, `long` a bigint, `def` and objects a ScriptValue); after the arguments comes the run.
 *
 * `{ 'double arcDistance(double,double)': (self: GeoPoints, lat: number, lon: number) => … }`
 */
export interface ClassDefinition {
  /** As scripts write it: `List`, `Map.Entry`. */
  readonly name: string
  /** Java's full name, `java.util.List`. */
  readonly javaName: string
  /** Superclass and interfaces, by the names scripts write. `Object` is understood. */
  readonly parents?: readonly string[]
  /** A functional interface, by its one method: lambdas can be given for it. */
  readonly functional?: string
  /** `()`, `(int)`. */
  readonly constructors?: Readonly<Record<string, (...args: never[]) => unknown>>
  readonly methods?: Readonly<Record<string, (...args: never[]) => unknown>>
  readonly statics?: Readonly<Record<string, (...args: never[]) => unknown>>
  /** `{ 'double PI': Math.PI }`. */
  readonly constants?: Readonly<Record<string, unknown>>
  /** Whether scripts may name it only in full. */
  readonly isUnnamed?: boolean
  /** The class in 7.x and later, where it is another. */
  readonly later?: ClassDefinition
}

/** A constant of a class. */
export interface ScriptConstant {
  readonly type: ScriptType
  readonly value: unknown
}

/** A class that scripts may use, and all that they may do with it. */
export class ScriptClass {
  readonly name: string
  readonly javaName: string
  readonly parents: readonly string[]
  readonly functional: ScriptMethod | undefined
  readonly constructors = new Map<number, ScriptMethod>()
  /** Methods by name and number of arguments, `get/1`. */
  readonly methods = new Map<string, ScriptMethod>()
  readonly statics = new Map<string, ScriptMethod>()
  readonly constants = new Map<string, ScriptConstant>()

  constructor(definition: ClassDefinition) {
    this.name = definition.name
    this.javaName = definition.javaName
    this.parents = definition.parents ?? []
    for (const [signature, call] of Object.entries(definition.constructors ?? {})) {
      const params = paramsOf(signature)
      this.constructors.set(params.length, {
        name: '<init>',
        params,
        returns: definition.name,
        owner: definition.javaName,
        call: call as Implementation,
      })
    }
    for (const [signature, call] of Object.entries(definition.methods ?? {})) add(this, this.methods, signature, call)
    for (const [signature, call] of Object.entries(definition.statics ?? {})) add(this, this.statics, signature, call)
    for (const [declaration, value] of Object.entries(definition.constants ?? {})) {
      const [type = '', name = ''] = declaration.split(' ')
      this.constants.set(name, { type, value })
    }
    this.functional = definition.functional === undefined ? undefined : methodOf(this, definition.functional, nothing)
  }
}

function nothing(): undefined {
  return undefined
}

function add(
  owner: ScriptClass,
  methods: Map<string, ScriptMethod>,
  signature: string,
  call: (...args: never[]) => unknown,
): void {
  const method = methodOf(owner, signature, call)
  methods.set(`${method.name}/${method.params.length}`, method)
}

function methodOf(owner: ScriptClass, signature: string, call: (...args: never[]) => unknown): ScriptMethod {
  const [, returns = '', name = ''] = /^(\S+) (\w+)\(/.exec(signature) ?? []
  return { name, params: paramsOf(signature), returns, owner: owner.javaName, call: call as Implementation }
}

function paramsOf(signature: string): ScriptType[] {
  const inner = signature.slice(signature.indexOf('(') + 1, -1)
  return inner === '' ? [] : inner.split(',').map((type) => type.trim())
}
