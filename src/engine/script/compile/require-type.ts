import { CompileFault } from '../script-fault.ts'
import { elementType } from '../values/script-type.ts'
import type { Compiler } from './compiler.ts'

/**
 * Refuses a type that there is not, which later versions' grammar takes for one.
 *
 * @throws {CompileFault} illegal_argument_exception
 */
export function requireType({ classes }: Compiler, type: string, at: number, say: (type: string) => string): void {
  let inner = type
  for (let of = elementType(inner); of !== undefined; of = elementType(inner)) inner = of
  if (!classes.isType(inner)) throw new CompileFault(at, 'illegal_argument_exception', say(type))
}
