import { compareDoubles } from '../../algorithms/double-order.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptFunction } from '../values/script-function.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { called, doubleOf, intOf, longOf } from './call-function.ts'
import { naturalOrder, type Order, orderOf } from './order.ts'

function comparator(order: Order): ScriptFunction {
  return new ScriptFunction('java.util.Comparator', (left, right) => order(left ?? null, right ?? null), 2)
}

function byKey(key: ScriptFunction, by: ScriptFunction | null): Order {
  const order = orderOf(by)
  return (left, right) => order(called(key).invoke(left), called(key).invoke(right))
}

const byInt =
  (key: ScriptFunction): Order =>
  (left, right) =>
    intOf(key, left) - intOf(key, right)
const byDouble =
  (key: ScriptFunction): Order =>
  (left, right) =>
    compareDoubles(doubleOf(key, left), doubleOf(key, right))
const byLong =
  (key: ScriptFunction): Order =>
  (left, right) => {
    const [a, b] = [longOf(key, left), longOf(key, right)]
    return a < b ? -1 : a > b ? 1 : 0
  }

function then(first: ScriptFunction, second: Order): ScriptFunction {
  return comparator((left, right) => intOf(first, left, right) || second(left, right))
}

function withNulls(by: ScriptFunction | null, isFirst: boolean): ScriptFunction {
  return comparator((left, right) => {
    if (left !== null && right !== null) return by === null ? 0 : intOf(by, left, right)
    if (left === right) return 0
    return (left === null) === isFirst ? -1 : 1
  })
}

/** `java.util.Comparator`. */
export const COMPARATOR_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'Comparator',
    javaName: 'java.util.Comparator',
    functional: 'int compare(def,def)',
    methods: {
      'int compare(def,def)': (self: ScriptFunction, left: ScriptValue, right: ScriptValue) => intOf(self, left, right),
      'Comparator reversed()': (self: ScriptFunction) => comparator((left, right) => intOf(self, right, left)),
      'Comparator thenComparing(Comparator)': (self: ScriptFunction, next: ScriptFunction) => then(self, orderOf(next)),
      'Comparator thenComparing(Function,Comparator)': (
        self: ScriptFunction,
        key: ScriptFunction,
        by: ScriptFunction,
      ) => then(self, byKey(key, by)),
      'Comparator thenComparingDouble(ToDoubleFunction)': (self: ScriptFunction, key: ScriptFunction) =>
        then(self, byDouble(key)),
      'Comparator thenComparingInt(ToIntFunction)': (self: ScriptFunction, key: ScriptFunction) =>
        then(self, byInt(key)),
      'Comparator thenComparingLong(ToLongFunction)': (self: ScriptFunction, key: ScriptFunction) =>
        then(self, byLong(key)),
    },
    statics: {
      'Comparator comparing(Function)': (key: ScriptFunction) => comparator(byKey(key, null)),
      'Comparator comparing(Function,Comparator)': (key: ScriptFunction, by: ScriptFunction) =>
        comparator(byKey(key, by)),
      'Comparator comparingDouble(ToDoubleFunction)': (key: ScriptFunction) => comparator(byDouble(key)),
      'Comparator comparingInt(ToIntFunction)': (key: ScriptFunction) => comparator(byInt(key)),
      'Comparator comparingLong(ToLongFunction)': (key: ScriptFunction) => comparator(byLong(key)),
      'Comparator naturalOrder()': () => comparator(naturalOrder),
      'Comparator reverseOrder()': () => comparator((left, right) => naturalOrder(right, left)),
      'Comparator nullsFirst(Comparator)': (by: ScriptFunction | null) => withNulls(by, true),
      'Comparator nullsLast(Comparator)': (by: ScriptFunction | null) => withNulls(by, false),
    },
  },
]
