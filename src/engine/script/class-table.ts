import { type ClassDefinition, ScriptClass, type ScriptMethod } from './values/script-class.ts'
import { elementType, isPrimitive, type ScriptType } from './values/script-type.ts'
import { classNameOf, type ScriptValue } from './values/script-value.ts'

/** All classes that a script may use, and what is found in them and in what they extend. */
export class ClassTable {
  readonly #byName = new Map<string, ScriptClass>()
  readonly #byJavaName = new Map<string, ScriptClass>()
  readonly #methods = new Map<string, ScriptMethod | null>()
  readonly #object: ScriptClass

  /** Whether they are those of 7.x and later. */
  readonly isLater: boolean

  constructor(definitions: readonly ClassDefinition[], isLater = false) {
    this.isLater = isLater
    for (const definition of definitions) {
      const made = new ScriptClass(definition)
      if (!definition.isUnnamed) this.#byName.set(definition.name, made)
      const full = definition.javaName.replaceAll('$', '.')
      if (!this.#byName.has(full)) this.#byName.set(full, made)
      this.#byJavaName.set(definition.javaName, made)
    }
    this.#object = this.#byName.get('Object') as ScriptClass
  }

  /** Whether a name is a type's. */
  isType(name: string): boolean {
    return name === 'def' || name === 'void' || isPrimitive(name) || this.#byName.has(name)
  }

  /** A type by the one name it goes by here: `java.util.List[]` is `List[]`. */
  resolve(type: ScriptType): ScriptType {
    const element = elementType(type)
    if (element !== undefined) return `${this.resolve(element)}[]`
    return this.#byName.get(type)?.name ?? type
  }

  /** A class by a type's name. */
  named(type: ScriptType): ScriptClass | undefined {
    return this.#byName.get(type)
  }

  /** The class of a value. */
  of(value: ScriptValue): ScriptClass {
    return this.#byJavaName.get(classNameOf(value)) ?? this.#object
  }

  /** A type as messages name it. */
  shown(type: ScriptType): string {
    const element = elementType(type)
    if (element !== undefined) return `${this.shown(element)}[]`
    return this.named(type)?.javaName.replaceAll('$', '.') ?? type
  }

  /** A method of a class' objects. */
  method(owner: ScriptClass, name: string, arity: number): ScriptMethod | undefined {
    const key = `${owner.javaName}#${name}/${arity}`
    const known = this.#methods.get(key)
    if (known !== undefined) return known ?? undefined
    const found = this.#search(owner, `${name}/${arity}`) ?? this.#object.methods.get(`${name}/${arity}`)
    // Names come from scripts: only what is found is remembered without end.
    if (found !== undefined || this.#methods.size < 20_000) this.#methods.set(key, found ?? null)
    return found
  }

  /** The method that reads a property, `getX()` or `isX()`. */
  getter(owner: ScriptClass, property: string): ScriptMethod | undefined {
    const name = capital(property)
    return this.method(owner, `get${name}`, 0) ?? this.method(owner, `is${name}`, 0)
  }

  /** The method that writes a property, `setX(value)`. */
  setter(owner: ScriptClass, property: string): ScriptMethod | undefined {
    return this.method(owner, `set${capital(property)}`, 1)
  }

  /** Whether a type's values are values of another. */
  isSubtype(type: ScriptType, of: ScriptType): boolean {
    if (type === of || of === 'Object' || of === 'def') return true
    const [inner, outer] = [elementType(type), elementType(of)]
    if (inner !== undefined && outer !== undefined) {
      if (isPrimitive(inner) || isPrimitive(outer)) return false
      // In arrays `def` is a class, below none but Object.
      if (inner === 'def') return outer === 'Object'
      return outer !== 'def' && this.isSubtype(inner, outer)
    }
    const owner = this.named(type)
    return owner !== undefined && this.#extends(owner, of)
  }

  /** Whether a value is of a type; null is of none. */
  isInstance(value: ScriptValue, type: ScriptType): boolean {
    if (value === null) return false
    if (type === 'def' || type === 'Object') return true
    const name = classNameOf(value)
    if (name.startsWith('[')) return elementType(type) !== undefined
    const owner = this.#byJavaName.get(name)
    return owner !== undefined && (owner.name === type || this.#extends(owner, type))
  }

  /** The one method of a functional interface. */
  functional(type: ScriptType): ScriptMethod | undefined {
    return this.named(type)?.functional
  }

  #extends(owner: ScriptClass, of: ScriptType): boolean {
    return owner.parents.some((parent) => this.isSubtype(parent, of))
  }

  #search(owner: ScriptClass, key: string): ScriptMethod | undefined {
    const own = owner.methods.get(key)
    if (own !== undefined) return own
    for (const parent of owner.parents) {
      const of = this.named(parent) ?? this.#byJavaName.get(parent)
      const found = of === undefined ? undefined : this.#search(of, key)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function capital(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1)
}
