import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { numberIn, numericType } from '../values/boxing.ts'
import { notNull } from '../values/not-null.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptCollection } from '../values/script-collection.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { MapView } from '../values/script-set.ts'
import { type Box, isEqualValue, type ScriptValue, textOf } from '../values/script-value.ts'
import { called, doubleOf, tested } from './call-function.ts'
import { CONDITION_CLASSES } from './condition-classes.ts'
import { joined } from './join-text.ts'
import { orderOf } from './order.ts'
import { ScriptIterator } from './script-iterator.ts'
import { ScriptStream } from './script-stream.ts'

/** Members of a collection, each counted as a turn of a loop. */
function* turns(self: ScriptCollection, run: ScriptRun): IterableIterator<ScriptValue> {
  for (const value of self.values()) {
    run.step()
    yield value
  }
}

function collected(values: Iterable<ScriptValue>, run: ScriptRun): ScriptList {
  const items = [...values]
  run.allocate(items.length * 8 + 32)
  return new ScriptList(items)
}

function sum(values: Iterable<ScriptValue>, value: (member: ScriptValue) => number): number {
  let total = 0
  for (const member of values) total += value(member)
  return total
}

function grouped(values: Iterable<ScriptValue>, by: ScriptFunction): ScriptMap {
  const groups = new ScriptMap('linked')
  for (const value of values) {
    const key = by.invoke(value)
    const group = groups.get(key)
    if (group instanceof ScriptList) group.items.push(value)
    else groups.put(key, new ScriptList([value]))
  }
  return groups
}

const ITERABLE: ClassDefinition = {
  name: 'Iterable',
  javaName: 'java.lang.Iterable',
  methods: {
    'void forEach(Consumer)': (self: ScriptCollection, act: ScriptFunction, run: ScriptRun) => {
      for (const value of turns(self, run)) called(act).invoke(value)
    },
    'Iterator iterator()': (self: ScriptCollection, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return iteratorOf(self, 0)
    },
    'boolean any(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) => {
      for (const value of turns(self, run)) if (tested(test, value)) return true
      return false
    },
    'Collection asCollection()': (self: ScriptCollection) => self,
    'List asList()': (self: ScriptCollection, run: ScriptRun) =>
      self instanceof ScriptList ? self : collected(self.values(), run),
    'def each(Consumer)': (self: ScriptCollection, act: ScriptFunction, run: ScriptRun) => {
      for (const value of turns(self, run)) called(act).invoke(value)
      return self
    },
    'def eachWithIndex(ObjIntConsumer)': (self: ScriptCollection, act: ScriptFunction, run: ScriptRun) => {
      let index = 0
      for (const value of turns(self, run)) called(act).invoke(value, index++)
      return self
    },
    'boolean every(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) => {
      for (const value of turns(self, run)) if (!tested(test, value)) return false
      return true
    },
    'List findResults(Function)': (self: ScriptCollection, make: ScriptFunction, run: ScriptRun) =>
      collected(
        [...turns(self, run)].map((value) => called(make).invoke(value)).filter((result) => result !== null),
        run,
      ),
    'Map groupBy(Function)': (self: ScriptCollection, by: ScriptFunction, run: ScriptRun) =>
      grouped(turns(self, run), called(by)),
    'String join(String)': (self: ScriptCollection, by: string, run: ScriptRun) =>
      joined([...turns(self, run)], by, run),
    'double sum()': (self: ScriptCollection, run: ScriptRun) =>
      sum(turns(self, run), (value) => {
        if (value === null) throw fault('NullPointerException', null)
        if (numericType(value) === undefined || (value as Box).kind === 'char') {
          throw fault('ClassCastException', `class ${textOf(value)} cannot be cast to class java.lang.Number`)
        }
        return Number(numberIn(value))
      }),
    'double sum(ToDoubleFunction)': (self: ScriptCollection, of: ScriptFunction, run: ScriptRun) =>
      sum(turns(self, run), (value) => doubleOf(of, value)),
  },
}

function iteratorOf(self: ScriptCollection, start: number): ScriptIterator {
  const remove = (index: number, value: ScriptValue): void => {
    if (self instanceof ScriptList) self.removeAt(index)
    else if (self instanceof MapView) self.removeIf((member) => member === value)
    else self.removeValue(value)
  }
  return new ScriptIterator([...self.values()], remove, start)
}

const COLLECTION: ClassDefinition = {
  name: 'Collection',
  javaName: 'java.util.Collection',
  parents: ['Iterable'],
  methods: {
    'boolean add(def)': (self: ScriptCollection, value: ScriptValue, run: ScriptRun) => self.add(value, run),
    'boolean addAll(Collection)': (self: ScriptCollection, other: ScriptCollection, run: ScriptRun) => {
      run.step(notNull(other).size() >> 1)
      const values = [...other.values()]
      let isChanged = false
      for (const value of values) isChanged = self.add(value, run) || isChanged
      return isChanged
    },
    'void clear()': (self: ScriptCollection) => self.clear(),
    'boolean contains(def)': (self: ScriptCollection, value: ScriptValue) => self.contains(value),
    'boolean containsAll(Collection)': (self: ScriptCollection, other: ScriptCollection, run: ScriptRun) => {
      for (const value of turns(notNull(other), run)) if (!self.contains(value)) return false
      return true
    },
    'boolean isEmpty()': (self: ScriptCollection) => self.size() === 0,
    'boolean removeAll(Collection)': (self: ScriptCollection, other: ScriptCollection, run: ScriptRun) =>
      self.removeIf((value) => {
        run.step()
        return notNull(other).contains(value)
      }),
    'boolean removeIf(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) =>
      self.removeIf((value) => {
        run.step()
        return tested(test, value)
      }),
    'boolean retainAll(Collection)': (self: ScriptCollection, other: ScriptCollection, run: ScriptRun) =>
      self.removeIf((value) => {
        run.step()
        return !notNull(other).contains(value)
      }),
    'int size()': (self: ScriptCollection) => self.size(),
    'Stream stream()': (self: ScriptCollection, run: ScriptRun) => new ScriptStream('object', self.values(), run),
    'def[] toArray()': (self: ScriptCollection, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return new ScriptArray('def', [...self.values()])
    },
    'def[] toArray(def[])': (self: ScriptCollection, like: ScriptArray, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return new ScriptArray(like.element, [...self.values()])
    },
    'List collect(Function)': (self: ScriptCollection, make: ScriptFunction, run: ScriptRun) =>
      collected(
        [...turns(self, run)].map((value) => called(make).invoke(value)),
        run,
      ),
    'def collect(Collection,Function)': (
      self: ScriptCollection,
      into: ScriptCollection,
      make: ScriptFunction,
      run: ScriptRun,
    ) => {
      for (const value of turns(self, run)) into.add(called(make).invoke(value), run)
      return into
    },
    'def find(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) => {
      for (const value of turns(self, run)) if (tested(test, value)) return value
      return null
    },
    'List findAll(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) =>
      collected(
        [...turns(self, run)].filter((value) => tested(test, value)),
        run,
      ),
    'def findResult(Function)': (self: ScriptCollection, make: ScriptFunction, run: ScriptRun) =>
      firstResult(self, null, make, run),
    'def findResult(def,Function)': (
      self: ScriptCollection,
      fallback: ScriptValue,
      make: ScriptFunction,
      run: ScriptRun,
    ) => firstResult(self, fallback, make, run),
    'List split(Predicate)': (self: ScriptCollection, test: ScriptFunction, run: ScriptRun) => {
      const [yes, no]: [ScriptValue[], ScriptValue[]] = [[], []]
      for (const value of turns(self, run)) (tested(test, value) ? yes : no).push(value)
      run.allocate((yes.length + no.length) * 8)
      return new ScriptList([new ScriptList(yes), new ScriptList(no)])
    },
  },
}

function firstResult(self: ScriptCollection, fallback: ScriptValue, make: ScriptFunction, run: ScriptRun): ScriptValue {
  for (const value of turns(self, run)) {
    const result = called(make).invoke(value)
    if (result !== null) return result
  }
  return fallback
}

const LIST: ClassDefinition = {
  name: 'List',
  javaName: 'java.util.List',
  parents: ['Collection'],
  methods: {
    'void add(int,def)': (self: ScriptList, index: number, value: ScriptValue, run: ScriptRun) =>
      self.insert(index, [value], run),
    'boolean addAll(int,Collection)': (self: ScriptList, index: number, other: ScriptCollection, run: ScriptRun) => {
      run.step(notNull(other).size() >> 1)
      self.insert(index, [...other.values()], run)
      return other.size() > 0
    },
    'def get(int)': (self: ScriptList, index: number) => self.get(index),
    'int getLength()': (self: ScriptList) => self.size(),
    'int indexOf(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => {
      run.step(self.size() >> 1)
      return self.items.findIndex((member) => isEqualValue(member, value))
    },
    'int lastIndexOf(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => {
      run.step(self.size() >> 1)
      return self.items.findLastIndex((member) => isEqualValue(member, value))
    },
    'ListIterator listIterator()': (self: ScriptList, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return iteratorOf(self, 0)
    },
    'ListIterator listIterator(int)': (self: ScriptList, start: number, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return iteratorOf(self, start)
    },
    'def remove(int)': (self: ScriptList, index: number, run: ScriptRun) => {
      run.step(self.size() >> 6)
      return self.removeAt(index)
    },
    'void replaceAll(UnaryOperator)': (self: ScriptList, make: ScriptFunction, run: ScriptRun) => {
      self.items.forEach((value, i) => {
        run.step()
        self.set(i, called(make).invoke(value))
      })
    },
    'def set(int,def)': (self: ScriptList, index: number, value: ScriptValue) => self.set(index, value),
    'void sort(Comparator)': (self: ScriptList, by: ScriptFunction | null, run: ScriptRun) => sorted(self, by, run),
    'List subList(int,int)': (self: ScriptList, from: number, to: number, run: ScriptRun) => {
      if (from < 0) throw fault('IndexOutOfBoundsException', `fromIndex = ${from}`)
      if (to > self.size()) throw fault('IndexOutOfBoundsException', `toIndex = ${to}`)
      if (from > to) throw fault('IllegalArgumentException', `fromIndex(${from}) > toIndex(${to})`)
      return collected(self.items.slice(from, to), run)
    },
  },
}

/** Sorts a list in place. */
export function sorted(self: ScriptList, by: ScriptFunction | null, run: ScriptRun): void {
  run.step(self.size())
  self.replace([...self.items].sort(orderOf(by)))
}

function end(self: ScriptList, isFirst: boolean): ScriptValue {
  if (self.size() === 0) throw fault('java.util.NoSuchElementException', null)
  return self.get(isFirst ? 0 : self.size() - 1)
}

function taken(self: ScriptList, isFirst: boolean): ScriptValue {
  if (self.size() === 0) throw fault('java.util.NoSuchElementException', null)
  return self.removeAt(isFirst ? 0 : self.size() - 1)
}

function orNull(self: ScriptList, get: (self: ScriptList, isFirst: boolean) => ScriptValue, isFirst: boolean) {
  return self.size() === 0 ? null : get(self, isFirst)
}

const QUEUE: ClassDefinition = {
  name: 'Queue',
  javaName: 'java.util.Queue',
  parents: ['Collection'],
  methods: {
    'def element()': (self: ScriptList) => end(self, true),
    'boolean offer(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => self.add(value, run),
    'def peek()': (self: ScriptList) => orNull(self, end, true),
    'def poll()': (self: ScriptList) => orNull(self, taken, true),
    'def remove()': (self: ScriptList) => taken(self, true),
  },
}

const DEQUE: ClassDefinition = {
  name: 'Deque',
  javaName: 'java.util.Deque',
  parents: ['Queue'],
  methods: {
    'void addFirst(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => self.insert(0, [value], run),
    'void addLast(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => self.add(value, run),
    'def getFirst()': (self: ScriptList) => end(self, true),
    'def getLast()': (self: ScriptList) => end(self, false),
    'def peekFirst()': (self: ScriptList) => orNull(self, end, true),
    'def peekLast()': (self: ScriptList) => orNull(self, end, false),
    'def pollFirst()': (self: ScriptList) => orNull(self, taken, true),
    'def pollLast()': (self: ScriptList) => orNull(self, taken, false),
    'def pop()': (self: ScriptList) => taken(self, true),
    'void push(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => self.insert(0, [value], run),
    'Iterator descendingIterator()': (self: ScriptList, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return new ScriptIterator([...self.items].reverse())
    },
    'boolean offerFirst(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => {
      self.insert(0, [value], run)
      return true
    },
    'boolean offerLast(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => self.add(value, run),
    'boolean removeFirstOccurrence(def)': (self: ScriptList, value: ScriptValue) => self.removeValue(value),
    'boolean removeLastOccurrence(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => {
      run.step(self.size() >> 1)
      const at = self.items.findLastIndex((member) => isEqualValue(member, value))
      if (at >= 0) self.removeAt(at)
      return at >= 0
    },
    'boolean remove(def)': (self: ScriptList, value: ScriptValue) => self.removeValue(value),
    'def removeFirst()': (self: ScriptList) => taken(self, true),
    'def removeLast()': (self: ScriptList) => taken(self, false),
  },
}

/** A list whose last member is on top. */
const STACK: ClassDefinition = {
  ...listClass('Stack', ['List']),
  methods: {
    'def push(def)': (self: ScriptList, value: ScriptValue, run: ScriptRun) => {
      self.add(value, run)
      return value
    },
    'def pop()': (self: ScriptList) => onTop(self, taken),
    'def peek()': (self: ScriptList) => onTop(self, end),
    'boolean empty()': (self: ScriptList) => self.size() === 0,
    'int search(def)': (self: ScriptList, value: ScriptValue) => {
      const at = self.items.findLastIndex((item) => isEqualValue(item, value))
      return at < 0 ? -1 : self.size() - at
    },
  },
}

function onTop(self: ScriptList, take: (self: ScriptList, isFirst: boolean) => ScriptValue): ScriptValue {
  if (self.size() === 0) throw fault('java.util.EmptyStackException', null)
  return take(self, false)
}

/** Java's PriorityQueue: a heap, the least member first. */
class ScriptPriorityQueue extends ScriptList {
  readonly #order: (left: ScriptValue, right: ScriptValue) => number

  constructor(by: ScriptFunction | null) {
    super([], 'java.util.PriorityQueue')
    this.#order = orderOf(by)
  }

  override add(value: ScriptValue, run: ScriptRun): boolean {
    if (value === null) throw fault('NullPointerException', null)
    super.add(value, run)
    const { items } = this
    let at = items.length - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (this.#order(value, items[above] as ScriptValue) >= 0) break
      items[at] = items[above] as ScriptValue
      at = above
    }
    items[at] = value
    return true
  }

  /** Takes the least away. */
  take(): ScriptValue {
    const least = this.items[0] as ScriptValue
    const last = this.removeAt(this.items.length - 1)
    const { items } = this
    if (items.length === 0) return least
    let at = 0
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      const other = below + 1
      if (other < items.length && this.#order(items[other] as ScriptValue, items[below] as ScriptValue) < 0)
        below = other
      if (this.#order(last, items[below] as ScriptValue) <= 0) break
      items[at] = items[below] as ScriptValue
      at = below
    }
    items[at] = last
    return least
  }
}

const PRIORITY_QUEUE: ClassDefinition = {
  name: 'PriorityQueue',
  javaName: 'java.util.PriorityQueue',
  parents: ['Queue'],
  constructors: {
    '()': () => new ScriptPriorityQueue(null),
    '(Comparator)': (by: ScriptFunction | null) => new ScriptPriorityQueue(by),
  },
  methods: {
    'def poll()': (self: ScriptPriorityQueue) => (self.size() === 0 ? null : self.take()),
    'def remove()': (self: ScriptPriorityQueue) => {
      if (self.size() === 0) throw fault('java.util.NoSuchElementException', null)
      return self.take()
    },
  },
}

function listClass(name: string, parents: readonly string[], isNamed = true): ClassDefinition {
  const javaName = name.includes('.') ? name : `java.util.${name}`
  return {
    name,
    javaName,
    parents,
    ...(isNamed
      ? {
          constructors: {
            '()': () => new ScriptList([], javaName),
            '(Collection)': (of: ScriptCollection, run: ScriptRun) => {
              run.allocate(notNull(of).size() * 8)
              run.step(of.size() >> 3)
              return new ScriptList([...of.values()], javaName)
            },
          },
          methods: {
            'def clone()': (self: ScriptList, run: ScriptRun) => {
              run.allocate(self.size() * 8)
              return new ScriptList([...self.items], javaName)
            },
            ...(name === 'ArrayList' ? { 'void trimToSize()': () => undefined } : {}),
          },
        }
      : { isUnnamed: true }),
  }
}

const ITERATORS: readonly ClassDefinition[] = [
  {
    name: 'Iterator',
    javaName: 'java.util.Iterator',
    methods: {
      'void forEachRemaining(Consumer)': (self: ScriptIterator, act: ScriptFunction, run: ScriptRun) => {
        for (; self.hasNext; run.step()) called(act).invoke(self.next())
      },
      'boolean hasNext()': (self: ScriptIterator) => self.hasNext,
      'def next()': (self: ScriptIterator) => self.next(),
      'void remove()': (self: ScriptIterator) => self.remove(),
    },
  },
  {
    name: 'ListIterator',
    javaName: 'java.util.ListIterator',
    parents: ['Iterator'],
    methods: {
      'boolean hasPrevious()': (self: ScriptIterator) => self.hasPrevious,
      'def previous()': (self: ScriptIterator) => self.previous(),
      'int nextIndex()': (self: ScriptIterator) => self.nextIndex,
      'int previousIndex()': (self: ScriptIterator) => self.nextIndex - 1,
    },
  },
  { name: 'java.util.ArrayList$Itr', javaName: 'java.util.ArrayList$Itr', parents: ['ListIterator'], isUnnamed: true },
]

/** Lists, queues and iterators of `java.util`. */
export const COLLECTION_CLASSES: readonly ClassDefinition[] = [
  ITERABLE,
  COLLECTION,
  LIST,
  QUEUE,
  DEQUE,
  listClass('ArrayList', ['List']),
  listClass('LinkedList', ['List', 'Deque']),
  listClass('ArrayDeque', ['Deque']),
  listClass('Vector', ['List']),
  STACK,
  PRIORITY_QUEUE,
  listClass('java.util.Arrays$ArrayList', ['List'], false),
  listClass('java.util.Collections$UnmodifiableRandomAccessList', ['List'], false),
  listClass('java.util.Collections$SingletonList', ['List'], false),
  ...CONDITION_CLASSES.map(({ list }) => listClass(list, ['List'], false)),
  { name: 'java.util.HashMap$KeySet', javaName: 'java.util.HashMap$KeySet', parents: ['Set'], isUnnamed: true },
  { name: 'java.util.HashMap$EntrySet', javaName: 'java.util.HashMap$EntrySet', parents: ['Set'], isUnnamed: true },
  { name: 'java.util.HashMap$Values', javaName: 'java.util.HashMap$Values', parents: ['Collection'], isUnnamed: true },
  ...ITERATORS,
]
