import { CompileFault } from '../script-fault.ts'
import type { ScriptType } from '../values/script-type.ts'

/** A variable: its type and its place in the frame. */
export interface Variable {
  readonly name: string
  readonly type: ScriptType
  readonly slot: number
  readonly isReadOnly: boolean
}

/** What a lambda takes along of where it was written: from a place there to a place of its own. */
export interface Capture {
  readonly from: number
  readonly to: number
}

/** Variables that one function (the script itself, a declared function, a lambda) can name, block by block. */
export class Scope {
  readonly #variables = new Map<string, Variable>()
  readonly #parent: Scope | undefined
  readonly #function: FunctionPlace

  private constructor(owner: FunctionPlace, parent: Scope | undefined) {
    this.#function = owner
    this.#parent = parent
  }

  /** The variables of a function. @param outer  where a lambda was written */
  static of(returns: ScriptType, outer?: Scope): Scope {
    return new Scope({ returns, size: 0, captures: [], outer }, undefined)
  }

  /** What a function in it answers. */
  get returns(): ScriptType {
    return this.#function.returns
  }

  /** Places that a frame of the function has. */
  get size(): number {
    return this.#function.size
  }

  get captures(): readonly Capture[] {
    return this.#function.captures
  }

  /** A further place in the frame, without a name. */
  place(): number {
    return this.#function.size++
  }

  /** A block in it. */
  inner(): Scope {
    return new Scope(this.#function, this)
  }

  /** @throws {CompileFault} when there is one of the name */
  declare(name: string, type: ScriptType, at: number, isReadOnly = false): Variable {
    if (this.#find(name) !== undefined || this.#isOutside(name)) {
      throw new CompileFault(at, 'illegal_argument_exception', `Variable [${name}] is already defined.`)
    }
    return this.#add(name, type, isReadOnly)
  }

  /** A variable by its name, also one of where a lambda was written. */
  lookup(name: string): Variable | undefined {
    const own = this.#find(name)
    if (own !== undefined) return own
    const outside = this.#function.outer?.lookup(name)
    if (outside === undefined) return undefined
    const captured = this.#root().#add(name, outside.type, true)
    this.#function.captures.push({ from: outside.slot, to: captured.slot })
    return captured
  }

  #find(name: string): Variable | undefined {
    const own = this.#variables.get(name)
    if (own !== undefined || this.#parent === undefined) return own
    return this.#parent.#find(name)
  }

  #isOutside(name: string): boolean {
    const { outer } = this.#function
    return outer !== undefined && (outer.#find(name) !== undefined || outer.#isOutside(name))
  }

  #root(): Scope {
    return this.#parent === undefined ? this : this.#parent.#root()
  }

  #add(name: string, type: ScriptType, isReadOnly: boolean): Variable {
    const variable = { name, type, slot: this.#function.size++, isReadOnly }
    this.#variables.set(name, variable)
    return variable
  }
}

interface FunctionPlace {
  readonly returns: ScriptType
  size: number
  readonly captures: Capture[]
  readonly outer: Scope | undefined
}
