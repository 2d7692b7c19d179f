import { notNull } from '../not-null.ts'
import type { ClassDefinition } from '../script-class.ts'
import type { ScriptCollection } from '../script-collection.ts'
import { fault } from '../script-fault.ts'
import type { ScriptFunction } from '../script-function.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptSet } from '../script-set.ts'
import type { ScriptValue } from '../script-value.ts'
import { orderOf } from './order.ts'

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
  parents: ['SortedSet'],
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
      setOf(
        self.order,
        [...self.values()].filter((value) => before(self, value, to)),
        run,
      ),
    'SortedSet tailSet(def)': (self: ScriptSet, from: ScriptValue, run: ScriptRun) =>
      setOf(
        self.order,
        [...self.values()].filter((value) => !before(self, value, from)),
        run,
      ),
    'SortedSet subSet(def,def)': (self: ScriptSet, from: ScriptValue, to: ScriptValue, run: ScriptRun) =>
      setOf(
        self.order,
        [...self.values()].filter((value) => !before(self, value, from) && before(self, value, to)),
        run,
      ),
  },
}

function before(self: ScriptSet, value: ScriptValue, other: ScriptValue): boolean {
  return typeof self.order === 'function' && self.order(value, other) < 0
}

/** Sets of `java.util`. */
export const SET_CLASSES: readonly ClassDefinition[] = [
  SET,
  SORTED_SET,
  setClass('HashSet', 'hash'),
  setClass('LinkedHashSet', 'linked'),
  TREE_SET,
]
