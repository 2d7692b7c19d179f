import { fault, ScriptFault, ScriptThrowable } from '../script-fault.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { classNameOf, type ScriptValue } from '../values/script-value.ts'

const illegal = (reason: string): Error => fault('IllegalArgumentException', reason)

function noIndex(part: string, place: string): Error {
  const cause = fault('NumberFormatException', `For input string: "${part}"`).throwable
  const reason = `Could not parse [${part}] as a int index into list at ${place}`
  return new ScriptFault(new ScriptThrowable('java.lang.IllegalArgumentException', reason, cause))
}

/** What is found along a path of keys and places, `a.0.b`; undefined: nothing is. */
function found(self: ScriptValue, path: string): ScriptValue | undefined {
  if (path === '') throw illegal('Missing path')
  let at: ScriptValue | undefined = self
  const parts = path.split('.')
  for (const [i, part] of parts.entries()) {
    if (at instanceof ScriptMap) at = at.has(part) ? at.get(part) : undefined
    else if (at instanceof ScriptList) {
      if (!/^[+-]?\d{1,10}$/.test(part)) throw noIndex(part, `path [${path}] and index [${i}]`)
      at = at.items[Number(part)]
    } else {
      const name = at === undefined || at === null ? 'null' : classNameOf(at)
      throw illegal(`Non-container [${name}] at [${part}], index [${i}] in path [${path}]`)
    }
    if (at === undefined) return undefined
  }
  return at
}

const METHODS: NonNullable<ClassDefinition['methods']> = {
  'Object getByPath(String)': (self: ScriptValue, path: string) => {
    const value = found(self, path)
    if (value === undefined) throw illegal(`Could not find value at path [${path}]`)
    return value
  },
  'Object getByPath(String,Object)': (self: ScriptValue, path: string, otherwise: ScriptValue) =>
    found(self, path) ?? otherwise,
}

/** A class of lists or maps as 7.x and later have it, where values are found by paths too. */
export function withPaths(definition: ClassDefinition): ClassDefinition {
  const isContainer = definition.name === 'List' || definition.name === 'Map'
  return isContainer ? { ...definition, methods: { ...definition.methods, ...METHODS } } : definition
}
