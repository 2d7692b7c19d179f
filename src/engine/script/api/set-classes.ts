import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { notNull } from '../values/not-null.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptCollection } from '../values/script-collection.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { ScriptSet } from '../values/script-set.ts'
import type { ScriptValue } from '../values/script-value.ts'
import { orderOf } from './order.ts'
import { ScriptIterator } from './script-iterator.ts'
import { isWithin, type PartEnd, reversed } from './sorted-part.ts'

const SET: ClassDefinition = {
  name: 'Set',
  javaName: 'java.util.Set',
  parents: ['Collection'],
  methods: { 'boolean remove(def)': (self: ScriptCollection, value: ScriptValue) => self.removeValue(value) },
}

function setClass(name: 'HashSet' | 'LinkedHashSet', order: 'hash' | 'linked'): ClassDefinition {
  return {
    name,
    javaName: `java.util.${name}`,
    parents: ['Set'],
    constructors: {
      '()': () => new ScriptSet(order),
      '(Collection)': (of: ScriptCollection, run: ScriptRun) => setOf(order, notNull(of).values(), run),
    },
    methods: { 'def clone()': (self: ScriptSet, run: ScriptRun) => setOf(order, self.values(), run) },
  }
}

/** A set of members. */
function setOf(
  order: ConstructorParameters<typeof ScriptSet>[0],
  values: Iterable<ScriptValue>,
  run: ScriptRun,
): ScriptSet {
  const set = new ScriptSet(order)
  for (const value of values) {
    run.step()
    set.add(value, run)
  }
  return set
}

function ends(self: ScriptSet, isFirst: boolean): ScriptValue {
  const all = [...self.values()]
  if (all.length === 0) throw fault('java.util.NoSuchElementException', null)
  return all[isFirst ? 0 : all.length - 1] as ScriptValue
}

const TREE_SET: ClassDefinition = {
  name: 'TreeSet',
  javaName: 'java.util.TreeSet',
  parents: ['NavigableSet'],
  constructors: {
    '()': () => new ScriptSet(orderOf(null)),
    '(Comparator)': (by: ScriptFunction) => new ScriptSet(orderOf(by)),
  },
  methods: { 'def clone()': (self: ScriptSet, run: ScriptRun) => setOf(self.order, self.values(), run) },
}

const SORTED_SET: ClassDefinition = {
  name: 'SortedSet',
  javaName: 'java.util.SortedSet',
  parents: ['Set'],
  methods: {
    'def first()': (self: ScriptSet, run: ScriptRun) => {
      run.step(self.size() >> 1)
      return ends(self, true)
    },
    'def last()': (self: ScriptSet, run: ScriptRun) => {
      run.step(self.size() >> 1)
      return ends(self, false)
    },
    'SortedSet headSet(def)': (self: ScriptSet, to: ScriptValue, run: ScriptRun) =>
      part(self, undefined, { value: to, isAt: false }, run),
    'SortedSet tailSet(def)': (self: ScriptSet, from: ScriptValue, run: ScriptRun) =>
      part(self, { value: from, isAt: true }, undefined, run),
    'SortedSet subSet(def,def)': (self: ScriptSet, from: ScriptValue, to: ScriptValue, run: ScriptRun) =>
      part(self, { value: from, isAt: true }, { value: to, isAt: false }, run),
  },
}

/** The member next to a value: the last before it or the first after it, or at it. */
function near(self: ScriptSet, value: ScriptValue, isBefore: boolean, isAt: boolean, run: ScriptRun): ScriptValue {
  run.step(self.size() >> 1)
  const end = { value, isAt }
  const fits = isBefore ? isWithin(self.order, undefined, end) : isWithin(self.order, end, undefined)
  const all = [...self.values()]
  return (isBefore ? all.findLast(fits) : all.find(fits)) ?? null
}

function polled(self: ScriptSet, isFirst: boolean, run: ScriptRun): ScriptValue {
  run.step(self.size() >> 1)
  if (self.size() === 0) return null
  const value = ends(self, isFirst)
  self.removeValue(value)
  return value
}

function part(self: ScriptSet, from: PartEnd | undefined, to: PartEnd | undefined, run: ScriptRun): ScriptSet {
  return setOf(self.order, [...self.values()].filter(isWithin(self.order, from, to)), run)
}

const NAVIGABLE_SET: ClassDefinition = {
  name: 'NavigableSet',
  javaName: 'java.util.NavigableSet',
  parents: ['SortedSet'],
  methods: {
    'def ceiling(def)': (self: ScriptSet, value: ScriptValue, run: ScriptRun) => near(self, value, false, true, run),
    'def floor(def)': (self: ScriptSet, value: ScriptValue, run: ScriptRun) => near(self, value, true, true, run),
    'def higher(def)': (self: ScriptSet, value: ScriptValue, run: ScriptRun) => near(self, value, false, false, run),
    'def lower(def)': (self: ScriptSet, value: ScriptValue, run: ScriptRun) => near(self, value, true, false, run),
    'def pollFirst()': (self: ScriptSet, run: ScriptRun) => polled(self, true, run),
    'def pollLast()': (self: ScriptSet, run: ScriptRun) => polled(self, false, run),
    'Iterator descendingIterator()': (self: ScriptSet, run: ScriptRun) => {
      run.allocate(self.size() * 8)
      return new ScriptIterator([...self.values()].reverse())
    },
    'NavigableSet descendingSet()': (self: ScriptSet, run: ScriptRun) =>
      setOf(reversed(self.order), self.values(), run),
    'NavigableSet headSet(def,boolean)': (self: ScriptSet, to: ScriptValue, isAt: boolean, run: ScriptRun) =>
      part(self, undefined, { value: to, isAt }, run),
    'NavigableSet tailSet(def,boolean)': (self: ScriptSet, from: ScriptValue, isAt: boolean, run: ScriptRun) =>
      part(self, { value: from, isAt }, undefined, run),
    'NavigableSet subSet(def,boolean,def,boolean)': (
      self: ScriptSet,
      from: ScriptValue,
      isFrom: boolean,
      to: ScriptValue,
      isTo: boolean,
      run: ScriptRun,
    ) => part(self, { value: from, isAt: isFrom }, { value: to, isAt: isTo }, run),
  },
}

/** Sets of `java.util`. */
export const SET_CLASSES: readonly ClassDefinition[] = [
  SET,
  SORTED_SET,
  NAVIGABLE_SET,
  setClass('HashSet', 'hash'),
  setClass('LinkedHashSet', 'linked'),
  TREE_SET,
]
