import type { ClassDefinition } from './script-class.ts'
import type { ScriptType } from './script-type.ts'

/**
 * Where a script runs: what it may name and what is made of its result. One object for each kind of place, not one for
 * each script: compiled scripts are remembered by it.
 */
export interface ScriptContext {
  /** As `_script_context` and stored scripts name it: `update`, `score`, `filter`. */
  readonly name: string
  /** Variables by name with their types: `{ params: 'Map', doc: 'Map', _score: 'double' }`. `params` is not understood. */
  readonly variables: Readonly<Record<string, ScriptType>>
  /** What the script answers: `double`, `boolean`, `Object`, `void`. */
  readonly returns: ScriptType
  /** Classes of the objects that this place offers, beside the language's own. */
  readonly classes?: readonly ClassDefinition[]
  /** Functions that scripts call by name alone; one that a script declares itself goes before them. */
  readonly functions?: readonly ContextFunction[]
}

/** A function that a place offers; its arguments and result are held as their types say. */
export interface ContextFunction {
  readonly name: string
  readonly params: readonly ScriptType[]
  readonly returns: ScriptType
  readonly call: (args: readonly unknown[]) => unknown
}

/**
 * The variables of one run, each held as its type says: `double` as number, `long` as bigint, `Map` as ScriptMap. A
 * function is asked when the script first reads the variable (`_score` costs something).
 */
export type ScriptVariables = Readonly<Record<string, unknown>>
