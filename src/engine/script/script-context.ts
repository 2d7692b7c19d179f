import { type EngineVersion, packageOf } from '../engine-version.ts'
import type { ClassDefinition } from './values/script-class.ts'
import type { ScriptType } from './values/script-type.ts'

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
  /** How many arguments later versions call the script with, which they tell of one that says nothing; undefined: none. */
  readonly argumentCount?: number
  /** True: in the language and the words of 7.x and later; undefined: in those of 6.8. */
  readonly isLater?: true
  /** Package of the real server's classes in messages, where it is not Elasticsearch's. */
  readonly javaPackage?: string
  /** Classes of the objects that this place offers, beside the language's own. */
  readonly classes?: readonly ClassDefinition[]
  /** Those of OpenSearch alone; one by a name that there is takes its place. */
  readonly openSearchClasses?: readonly ClassDefinition[]
  /** Functions that scripts call by name alone; one that a script declares itself goes before them. */
  readonly functions?: readonly ContextFunction[]
}

/** A function that a place offers; its arguments and result are held as their types say. */
export interface ContextFunction {
  readonly name: string
  readonly params: readonly ScriptType[]
  readonly returns: ScriptType
  readonly call?: (args: readonly unknown[]) => unknown
  /** What there is in place of `call` where it must be made first. */
  readonly bind?: FunctionBinding
}

/** A function as it is called, with the arguments it was not made of. */
export type BoundFunction = (args: readonly unknown[]) => unknown

/** Makes a function of its first `count` arguments, once for each place it is called at: those of its first call stay. */
export interface FunctionBinding {
  readonly count: number
  readonly make: (args: readonly unknown[], host: ScriptHost | undefined) => BoundFunction
}

/** Where runs of a script take place that belong together: one after the other over the same documents. */
export interface ScriptHost {
  /** Functions that were made, by the place where the script calls them. */
  readonly bindings: Map<object, BoundFunction>
}

/**
 * The variables of one run, each held as its type says: `double` as number, `long` as bigint, `Map` as ScriptMap. A
 * function is asked when the script first reads the variable (`_score` costs something).
 */
export type ScriptVariables = Readonly<Record<string, unknown>>

/** Whether a place is one of OpenSearch. */
export const isOpenSearch = ({ javaPackage }: Pick<ScriptContext, 'javaPackage'>): boolean =>
  javaPackage === 'org.opensearch'

const versions = new WeakMap<ScriptContext, Map<EngineVersion, ScriptContext>>()

/** A place as a version of the server has it. */
export function inVersion(context: ScriptContext, engineVersion: EngineVersion): ScriptContext {
  if (engineVersion === 'Elasticsearch_6.8') return context
  const known = versions.get(context) ?? new Map<EngineVersion, ScriptContext>()
  versions.set(context, known)
  let versioned = known.get(engineVersion)
  if (versioned === undefined) {
    const { classes = [], openSearchClasses = [] } = context
    const more = engineVersion === 'OpenSearch_2.19' ? openSearchClasses : []
    versioned = {
      ...context,
      isLater: true,
      javaPackage: packageOf(engineVersion),
      classes: [...classes.map((one) => one.later ?? one), ...more],
    }
    known.set(engineVersion, versioned)
  }
  return versioned
}
