import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box } from '../values/boxing.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptCollection } from '../values/script-collection.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { ScriptObject } from '../values/script-object.ts'
import { ScriptSet } from '../values/script-set.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'
import { called, doubleOf, intOf, longOf, tested } from './call-function.ts'
import { joinedTexts } from './join-text.ts'
import { ScriptOptional } from './optional-classes.ts'
import { orderOf } from './order.ts'
import { summed } from './summary-classes.ts'

/** Java's `Collector`: what is made of all members of a stream. */
export class Collector extends ScriptObject {
  readonly make: (values: readonly ScriptValue[], run: ScriptRun) => ScriptValue

  constructor(make: (values: readonly ScriptValue[], run: ScriptRun) => ScriptValue) {
    super()
    this.make = make
  }

  get className(): string {
    return 'java.util.stream.Collector'
  }
}

/** Collects a stream's members. */
export function collect(into: Collector | null, values: Iterable<ScriptValue>, run: ScriptRun): ScriptValue {
  if (into === null) throw fault('NullPointerException', null)
  const all = [...values]
  run.allocate(all.length * 8)
  return into.make(all, run)
}

const LIST = new Collector((values) => new ScriptList([...values]))

function grouping(by: ScriptFunction, make: () => ScriptValue, inner: Collector): Collector {
  return new Collector((values, run) => {
    const groups = new ScriptMap('linked')
    for (const value of values) {
      const key = called(by).invoke(value)
      if (key === null) throw fault('NullPointerException', 'element cannot be mapped to a null key')
      const group = groups.get(key)
      if (group instanceof ScriptList) group.items.push(value)
      else groups.put(key, new ScriptList([value]), run)
    }
    const result = make()
    if (!(result instanceof ScriptMap)) throw fault('ClassCastException', 'groupingBy needs a supplier of maps')
    for (const { entryKey, value } of groups.entries()) {
      result.put(entryKey, inner.make((value as ScriptList).items, run), run)
    }
    return result
  })
}

function mapping(
  key: ScriptFunction,
  value: ScriptFunction,
  merge: ScriptFunction | undefined,
  make: () => ScriptValue,
): Collector {
  return new Collector((values, run) => {
    const map = make()
    if (!(map instanceof ScriptMap)) throw fault('ClassCastException', 'toMap needs a supplier of maps')
    for (const member of values) {
      const name = called(key).invoke(member)
      const made = called(value).invoke(member)
      if (made === null) throw fault('NullPointerException', null)
      if (!map.has(name)) map.put(name, made, run)
      else if (merge !== undefined) map.put(name, merge.invoke(map.get(name), made), run)
      else {
        const [old, next] = [textOf(map.get(name)), textOf(made)]
        throw fault(
          'IllegalStateException',
          `Duplicate key ${textOf(name)} (attempted merging values ${old} and ${next})`,
        )
      }
    }
    return map
  })
}

function joining(by: ScriptValue, before: ScriptValue, after: ScriptValue): Collector {
  return new Collector((values, run) =>
    run.allocateText(textOf(before) + joinedTexts(values, textOf(by), run) + textOf(after)),
  )
}

function averaging(of: (value: ScriptValue) => number): Collector {
  return new Collector((values) =>
    box('double', values.length === 0 ? 0 : values.reduce((sum: number, value) => sum + of(value), 0) / values.length),
  )
}

function partitioning(test: ScriptFunction, inner: Collector): Collector {
  return new Collector((values, run) => {
    const map = new ScriptMap('linked')
    const isTrue = values.map((value) => tested(test, value))
    for (const side of [false, true]) {
      map.put(
        side,
        inner.make(
          values.filter((_, i) => isTrue[i] === side),
          run,
        ),
        run,
      )
    }
    return map
  })
}

function reduced(values: readonly ScriptValue[], by: ScriptFunction): ScriptOptional {
  let total: ScriptValue | undefined
  for (const value of values) total = total === undefined ? value : called(by).invoke(total, value)
  return new ScriptOptional('Optional', total)
}

function best(by: ScriptFunction, sign: 1 | -1): Collector {
  const order = orderOf(by)
  return new Collector((values) => {
    let found: ScriptValue | undefined
    for (const value of values) if (found === undefined || order(value, found) * sign > 0) found = value
    return new ScriptOptional('Optional', found)
  })
}

const hashMap = (): ScriptValue => new ScriptMap()

/** `java.util.stream.Collectors`. */
export const COLLECTOR_CLASSES: readonly ClassDefinition[] = [
  { name: 'Collector', javaName: 'java.util.stream.Collector' },
  {
    name: 'Collectors',
    javaName: 'java.util.stream.Collectors',
    statics: {
      'Collector averagingDouble(ToDoubleFunction)': (of: ScriptFunction) => averaging((value) => doubleOf(of, value)),
      'Collector averagingInt(ToIntFunction)': (of: ScriptFunction) => averaging((value) => intOf(of, value)),
      'Collector averagingLong(ToLongFunction)': (of: ScriptFunction) =>
        averaging((value) => Number(longOf(of, value))),
      'Collector collectingAndThen(Collector,Function)': (inner: Collector, make: ScriptFunction) =>
        new Collector((values, run) => called(make).invoke(inner.make(values, run))),
      'Collector counting()': () => new Collector((values) => BigInt(values.length)),
      'Collector groupingBy(Function)': (by: ScriptFunction) => grouping(by, hashMap, LIST),
      'Collector groupingBy(Function,Collector)': (by: ScriptFunction, inner: Collector) =>
        grouping(by, hashMap, inner),
      'Collector groupingBy(Function,Supplier,Collector)': (
        by: ScriptFunction,
        make: ScriptFunction,
        inner: Collector,
      ) => grouping(by, () => called(make).invoke(), inner),
      'Collector joining()': () => joining('', '', ''),
      'Collector joining(CharSequence)': (by: ScriptValue) => joining(by, '', ''),
      'Collector joining(CharSequence,CharSequence,CharSequence)': joining,
      'Collector mapping(Function,Collector)': (make: ScriptFunction, inner: Collector) =>
        new Collector((values, run) =>
          inner.make(
            values.map((value) => called(make).invoke(value)),
            run,
          ),
        ),
      'Collector maxBy(Comparator)': (by: ScriptFunction) => best(by, 1),
      'Collector minBy(Comparator)': (by: ScriptFunction) => best(by, -1),
      'Collector partitioningBy(Predicate)': (test: ScriptFunction) => partitioning(test, LIST),
      'Collector partitioningBy(Predicate,Collector)': (test: ScriptFunction, inner: Collector) =>
        partitioning(test, inner),
      'Collector reducing(BinaryOperator)': (by: ScriptFunction) => new Collector((values) => reduced(values, by)),
      'Collector reducing(def,BinaryOperator)': (start: ScriptValue, by: ScriptFunction) =>
        new Collector((values) => values.reduce((total, value) => called(by).invoke(total, value), start)),
      'Collector reducing(def,Function,BinaryOperator)': (
        start: ScriptValue,
        make: ScriptFunction,
        by: ScriptFunction,
      ) =>
        new Collector((values) =>
          values.reduce((total, value) => called(by).invoke(total, called(make).invoke(value)), start),
        ),
      'Collector summingDouble(ToDoubleFunction)': (of: ScriptFunction) =>
        new Collector((values) =>
          box(
            'double',
            values.reduce((sum: number, value) => sum + doubleOf(of, value), 0),
          ),
        ),
      'Collector summingInt(ToIntFunction)': (of: ScriptFunction) =>
        new Collector((values) => values.reduce((sum: number, value) => (sum + intOf(of, value)) | 0, 0)),
      'Collector summingLong(ToLongFunction)': (of: ScriptFunction) =>
        new Collector((values) =>
          BigInt.asIntN(
            64,
            values.reduce((sum: bigint, value) => sum + longOf(of, value), 0n),
          ),
        ),
      'Collector summarizingDouble(ToDoubleFunction)': (of: ScriptFunction) =>
        new Collector((values) => summed('Double', values, (value) => doubleOf(of, value))),
      'Collector summarizingInt(ToIntFunction)': (of: ScriptFunction) =>
        new Collector((values) => summed('Int', values, (value) => intOf(of, value))),
      'Collector summarizingLong(ToLongFunction)': (of: ScriptFunction) =>
        new Collector((values) => summed('Long', values, (value) => longOf(of, value))),
      'Collector toCollection(Supplier)': (make: ScriptFunction) =>
        new Collector((values, run) => {
          const made = called(make).invoke()
          if (!(made instanceof ScriptCollection)) throw fault('ClassCastException', 'toCollection needs a collection')
          for (const value of values) made.add(value, run)
          return made
        }),
      'Collector toList()': () => LIST,
      'Collector toMap(Function,Function)': (key: ScriptFunction, value: ScriptFunction) =>
        mapping(key, value, undefined, hashMap),
      'Collector toMap(Function,Function,BinaryOperator)': (
        key: ScriptFunction,
        value: ScriptFunction,
        merge: ScriptFunction,
      ) => mapping(key, value, merge, hashMap),
      'Collector toMap(Function,Function,BinaryOperator,Supplier)': (
        key: ScriptFunction,
        value: ScriptFunction,
        merge: ScriptFunction,
        make: ScriptFunction,
      ) => mapping(key, value, merge, () => called(make).invoke()),
      'Collector toSet()': () =>
        new Collector((values, run) => {
          const set = new ScriptSet()
          for (const value of values) set.add(value, run)
          return set
        }),
    },
  },
]
