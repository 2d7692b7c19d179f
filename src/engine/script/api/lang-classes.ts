import type { ClassDefinition } from '../script-class.ts'
import { ScriptThrowable } from '../script-fault.ts'
import { hashOf, isEqualValue, type ScriptValue, textOf } from '../script-value.ts'
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
      'long nanoTime()': () => process.hrtime.bigint(),
    },
  },
]
