import { fault, ScriptThrowable } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { hashOf, isEqualValue, type ScriptValue, textOf } from '../values/script-value.ts'
import { naturalOrder } from './order.ts'

/** What every object does, and what can be compared. */
const OBJECTS: readonly ClassDefinition[] = [
  {
    name: 'Object',
    javaName: 'java.lang.Object',
    methods: {
      'boolean equals(Object)': (self: ScriptValue, other: ScriptValue) => isEqualValue(self, other),
      'int hashCode()': (self: ScriptValue) => hashOf(self),
      'String toString()': (self: ScriptValue) => textOf(self),
    },
  },
  {
    name: 'Comparable',
    javaName: 'java.lang.Comparable',
    methods: { 'int compareTo(def)': (self: ScriptValue, other: ScriptValue) => naturalOrder(self, other) },
  },
]

/** Exceptions that scripts may make, throw and catch, with what each one extends. */
const EXCEPTIONS: readonly (readonly [string, string])[] = [
  ['java.lang.ArithmeticException', 'RuntimeException'],
  ['java.lang.ArrayIndexOutOfBoundsException', 'IndexOutOfBoundsException'],
  ['java.lang.ArrayStoreException', 'RuntimeException'],
  ['java.lang.ClassCastException', 'RuntimeException'],
  ['java.lang.CloneNotSupportedException', 'Exception'],
  ['java.lang.IllegalArgumentException', 'RuntimeException'],
  ['java.lang.IllegalStateException', 'RuntimeException'],
  ['java.lang.IndexOutOfBoundsException', 'RuntimeException'],
  ['java.lang.NegativeArraySizeException', 'RuntimeException'],
  ['java.lang.NullPointerException', 'RuntimeException'],
  ['java.lang.NumberFormatException', 'IllegalArgumentException'],
  ['java.lang.RuntimeException', 'Exception'],
  ['java.lang.SecurityException', 'RuntimeException'],
  ['java.lang.StringIndexOutOfBoundsException', 'IndexOutOfBoundsException'],
  ['java.lang.UnsupportedOperationException', 'RuntimeException'],
  ['java.lang.ReflectiveOperationException', 'Exception'],
  ['java.lang.ClassNotFoundException', 'ReflectiveOperationException'],
  ['java.lang.IllegalAccessException', 'ReflectiveOperationException'],
  ['java.lang.InstantiationException', 'ReflectiveOperationException'],
  ['java.lang.NoSuchFieldException', 'ReflectiveOperationException'],
  ['java.lang.NoSuchMethodException', 'ReflectiveOperationException'],
  ['java.lang.InterruptedException', 'Exception'],
  ['java.lang.IllegalMonitorStateException', 'RuntimeException'],
  ['java.lang.IllegalThreadStateException', 'IllegalArgumentException'],
  ['java.time.DateTimeException', 'RuntimeException'],
  ['java.time.format.DateTimeParseException', 'DateTimeException'],
  ['java.util.ConcurrentModificationException', 'RuntimeException'],
  ['java.util.EmptyStackException', 'RuntimeException'],
  ['java.util.InputMismatchException', 'NoSuchElementException'],
  ['java.util.NoSuchElementException', 'RuntimeException'],
]

function exception([javaName, parent]: readonly [string, string]): ClassDefinition {
  return {
    name: javaName.slice(javaName.lastIndexOf('.') + 1),
    javaName,
    parents: [parent],
    constructors: {
      '()': () => new ScriptThrowable(javaName, null),
      '(String)': (message: string | null) => new ScriptThrowable(javaName, message),
    },
  }
}

function outside(from: ScriptArray, at: number, to: ScriptArray, into: number, count: number): string {
  const shown = ({ element, items }: ScriptArray): string => `${element}[${items.length}]`
  if (count < 0) return `arraycopy: length ${count} is negative`
  if (at < 0) return `arraycopy: source index ${at} out of bounds for ${shown(from)}`
  if (into < 0) return `arraycopy: destination index ${into} out of bounds for ${shown(to)}`
  return at + count > from.items.length
    ? `arraycopy: last source index ${at + count} out of bounds for ${shown(from)}`
    : `arraycopy: last destination index ${into + count} out of bounds for ${shown(to)}`
}

function copied(from: ScriptValue, at: number, to: ScriptValue, into: number, count: number, run: ScriptRun): void {
  if (from === null || to === null) throw fault('NullPointerException', null)
  if (!(from instanceof ScriptArray)) throw fault('ArrayStoreException', 'arraycopy: source type is not an array')
  if (!(to instanceof ScriptArray)) throw fault('ArrayStoreException', 'arraycopy: destination type is not an array')
  if (at < 0 || into < 0 || count < 0 || at + count > from.items.length || into + count > to.items.length)
    throw fault('ArrayIndexOutOfBoundsException', outside(from, at, to, into, count))
  run.step(count >> 2)
  const part = from.items.slice(at, at + count)
  for (const [i, item] of part.entries()) to.items[into + i] = item
}

/** `java.lang` beside numbers and texts: Object and the exceptions. */
export const LANG_CLASSES: readonly ClassDefinition[] = [
  ...OBJECTS,
  {
    name: 'Exception',
    javaName: 'java.lang.Exception',
    constructors: {
      '()': () => new ScriptThrowable('java.lang.Exception', null),
      '(String)': (message: string | null) => new ScriptThrowable('java.lang.Exception', message),
    },
    methods: {
      'String getLocalizedMessage()': (self: ScriptThrowable) => self.message,
      'String getMessage()': (self: ScriptThrowable) => self.message,
    },
  },
  ...EXCEPTIONS.map(exception),
  {
    name: 'System',
    javaName: 'java.lang.System',
    statics: {
      'long currentTimeMillis()': () => BigInt(Date.now()),
      'void arraycopy(Object,int,Object,int,int)': copied,
      'long nanoTime()': () => process.hrtime.bigint(),
    },
  },
]
