import { fault } from '../script-fault.ts'

/** One of the constants of a Java enum by its name: its `valueOf`. @throws {ScriptFault} illegal_argument_exception, null_pointer_exception */
export function enumConstant<T>(
  all: readonly T[],
  javaName: string,
  text: string | null,
  nameOf: (constant: T) => string,
): T {
  if (text === null) throw fault('NullPointerException', 'Name is null')
  const found = all.find((constant) => nameOf(constant) === text)
  if (found === undefined) throw fault('IllegalArgumentException', `No enum constant ${javaName}.${text}`)
  return found
}
