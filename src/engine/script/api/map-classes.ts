import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { notNull } from '../values/not-null.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { type ScriptCollection, unsupported } from '../values/script-collection.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { ScriptList } from '../values/script-list.ts'
import { MapEntry, type MapOrder, ScriptMap } from '../values/script-map.ts'
import { MapView, ScriptSet } from '../values/script-set.ts'
import { isEqualValue, type ScriptValue } from '../values/script-value.ts'
import { called, tested } from './call-function.ts'
import { CONDITION_CLASSES } from './condition-classes.ts'
import { naturalOrder, orderOf } from './order.ts'
import { isWithin, type PartEnd, reversed } from './sorted-part.ts'

function* turns(self: ScriptMap, run: ScriptRun): IterableIterator<MapEntry> {
  for (const entry of self.entries()) {
    run.step()
    yield entry
  }
}

/** Puts what a lambda made in the place of a key's value; null takes the key away. */
function stored(self: ScriptMap, key: ScriptValue, value: ScriptValue, run: ScriptRun): ScriptValue {
  if (value === null) self.remove(key)
  else self.put(key, value, run)
  return value
}

function mapOf(order: MapOrder, entries: Iterable<MapEntry>, run: ScriptRun): ScriptMap {
  const map = new ScriptMap(order)
  for (const { entryKey, value } of entries) {
    run.step()
    map.put(entryKey, value, run)
  }
  return map
}

const MAP: ClassDefinition = {
  name: 'Map',
  javaName: 'java.util.Map',
  methods: {
    'void clear()': (self: ScriptMap) => self.clear(),
    'def compute(def,BiFunction)': (self: ScriptMap, key: ScriptValue, make: ScriptFunction, run: ScriptRun) =>
      stored(self, key, called(make).invoke(key, self.get(key)), run),
    'def computeIfAbsent(def,Function)': (self: ScriptMap, key: ScriptValue, make: ScriptFunction, run: ScriptRun) => {
      const old = self.get(key)
      if (old !== null) return old
      const made = called(make).invoke(key)
      if (made !== null) self.put(key, made, run)
      return made
    },
    'def computeIfPresent(def,BiFunction)': (
      self: ScriptMap,
      key: ScriptValue,
      make: ScriptFunction,
      run: ScriptRun,
    ) => {
      const old = self.get(key)
      return old === null ? null : stored(self, key, called(make).invoke(key, old), run)
    },
    'boolean containsKey(def)': (self: ScriptMap, key: ScriptValue) => self.has(key),
    'boolean containsValue(def)': (self: ScriptMap, value: ScriptValue, run: ScriptRun) => {
      for (const entry of turns(self, run)) if (isEqualValue(entry.value, value)) return true
      return false
    },
    'Set entrySet()': (self: ScriptMap) => new MapView(self, 'entries'),
    'void forEach(BiConsumer)': (self: ScriptMap, act: ScriptFunction, run: ScriptRun) => {
      for (const { entryKey, value } of turns(self, run)) called(act).invoke(entryKey, value)
    },
    'def get(def)': (self: ScriptMap, key: ScriptValue) => self.get(key),
    'def getOrDefault(def,def)': (self: ScriptMap, key: ScriptValue, fallback: ScriptValue) =>
      self.has(key) ? self.get(key) : fallback,
    'boolean isEmpty()': (self: ScriptMap) => self.size() === 0,
    'Set keySet()': (self: ScriptMap) => new MapView(self, 'keys'),
    'def merge(def,def,BiFunction)': (
      self: ScriptMap,
      key: ScriptValue,
      value: ScriptValue,
      make: ScriptFunction,
      run: ScriptRun,
    ) => {
      const old = self.get(key)
      return stored(self, key, old === null ? notNull(value) : called(make).invoke(old, value), run)
    },
    'def put(def,def)': (self: ScriptMap, key: ScriptValue, value: ScriptValue, run: ScriptRun) =>
      self.put(key, value, run),
    'void putAll(Map)': (self: ScriptMap, other: ScriptMap, run: ScriptRun) => {
      for (const { entryKey, value } of [...notNull(other).entries()]) {
        run.step()
        self.put(entryKey, value, run)
      }
    },
    'def putIfAbsent(def,def)': (self: ScriptMap, key: ScriptValue, value: ScriptValue, run: ScriptRun) => {
      const old = self.get(key)
      if (old === null) self.put(key, value, run)
      return old
    },
    'def remove(def)': (self: ScriptMap, key: ScriptValue) => self.remove(key),
    'boolean remove(def,def)': (self: ScriptMap, key: ScriptValue, value: ScriptValue) => {
      if (!self.has(key) || !isEqualValue(self.get(key), value)) return false
      self.remove(key)
      return true
    },
    'def replace(def,def)': (self: ScriptMap, key: ScriptValue, value: ScriptValue, run: ScriptRun) =>
      self.has(key) ? self.put(key, value, run) : null,
    'boolean replace(def,def,def)': (
      self: ScriptMap,
      key: ScriptValue,
      old: ScriptValue,
      value: ScriptValue,
      run: ScriptRun,
    ) => {
      if (!self.has(key) || !isEqualValue(self.get(key), old)) return false
      self.put(key, value, run)
      return true
    },
    'void replaceAll(BiFunction)': (self: ScriptMap, make: ScriptFunction, run: ScriptRun) => {
      for (const { entryKey, value } of turns(self, run)) self.put(entryKey, called(make).invoke(entryKey, value), run)
    },
    'int size()': (self: ScriptMap) => self.size(),
    'Collection values()': (self: ScriptMap) => new MapView(self, 'values'),
    'List collect(BiFunction)': (self: ScriptMap, make: ScriptFunction, run: ScriptRun) => {
      const list = new ScriptList()
      for (const { entryKey, value } of turns(self, run)) list.add(called(make).invoke(entryKey, value), run)
      return list
    },
    'def collect(Collection,BiFunction)': (
      self: ScriptMap,
      into: ScriptCollection,
      make: ScriptFunction,
      run: ScriptRun,
    ) => {
      for (const { entryKey, value } of turns(self, run)) into.add(called(make).invoke(entryKey, value), run)
      return into
    },
    'int count(BiPredicate)': (self: ScriptMap, test: ScriptFunction, run: ScriptRun) => {
      let count = 0
      for (const { entryKey, value } of turns(self, run)) if (tested(test, entryKey, value)) count++
      return count
    },
    'def each(BiConsumer)': (self: ScriptMap, act: ScriptFunction, run: ScriptRun) => {
      for (const { entryKey, value } of turns(self, run)) called(act).invoke(entryKey, value)
      return self
    },
    'boolean every(BiPredicate)': (self: ScriptMap, test: ScriptFunction, run: ScriptRun) => {
      for (const { entryKey, value } of turns(self, run)) if (!tested(test, entryKey, value)) return false
      return true
    },
    'Map.Entry find(BiPredicate)': (self: ScriptMap, test: ScriptFunction, run: ScriptRun) => {
      for (const entry of turns(self, run)) if (tested(test, entry.entryKey, entry.value)) return entry
      return null
    },
    'Map findAll(BiPredicate)': (self: ScriptMap, test: ScriptFunction, run: ScriptRun) =>
      mapOf(
        self.order === 'hash' ? 'hash' : self.order,
        [...turns(self, run)].filter(({ entryKey, value }) => tested(test, entryKey, value)),
        run,
      ),
    'def findResult(BiFunction)': (self: ScriptMap, make: ScriptFunction, run: ScriptRun) =>
      firstResult(self, null, make, run),
    'def findResult(def,BiFunction)': (self: ScriptMap, fallback: ScriptValue, make: ScriptFunction, run: ScriptRun) =>
      firstResult(self, fallback, make, run),
    'List findResults(BiFunction)': (self: ScriptMap, make: ScriptFunction, run: ScriptRun) => {
      const list = new ScriptList()
      for (const { entryKey, value } of turns(self, run)) {
        const result = called(make).invoke(entryKey, value)
        if (result !== null) list.add(result, run)
      }
      return list
    },
    'Map groupBy(BiFunction)': (self: ScriptMap, by: ScriptFunction, run: ScriptRun) => {
      const groups = new ScriptMap('linked')
      for (const { entryKey, value } of turns(self, run)) {
        const key = called(by).invoke(entryKey, value)
        const group = groups.get(key)
        if (group instanceof ScriptMap) group.put(entryKey, value, run)
        else {
          const made = new ScriptMap(self.order)
          made.put(entryKey, value, run)
          groups.put(key, made, run)
        }
      }
      return groups
    },
  },
}

function firstResult(self: ScriptMap, fallback: ScriptValue, make: ScriptFunction, run: ScriptRun): ScriptValue {
  for (const { entryKey, value } of turns(self, run)) {
    const result = called(make).invoke(entryKey, value)
    if (result !== null) return result
  }
  return fallback
}

function comparator(order: (left: MapEntry, right: MapEntry) => number): ScriptFunction {
  return new ScriptFunction('java.util.Comparator', (left, right) => order(left as MapEntry, right as MapEntry))
}

const ENTRY: ClassDefinition = {
  name: 'Map.Entry',
  javaName: 'java.util.Map$Entry',
  methods: {
    'def getKey()': (self: MapEntry) => self.entryKey,
    'def getValue()': (self: MapEntry) => self.value,
    'def setValue(def)': (self: MapEntry, value: ScriptValue) => {
      if (self.isFixed) throw unsupported()
      const old = self.value
      self.value = value
      return old
    },
  },
  statics: {
    'Comparator comparingByKey()': () => comparator((left, right) => naturalOrder(left.entryKey, right.entryKey)),
    'Comparator comparingByKey(Comparator)': (by: ScriptFunction) =>
      comparator((left, right) => orderOf(by)(left.entryKey, right.entryKey)),
    'Comparator comparingByValue()': () => comparator((left, right) => naturalOrder(left.value, right.value)),
    'Comparator comparingByValue(Comparator)': (by: ScriptFunction) =>
      comparator((left, right) => orderOf(by)(left.value, right.value)),
  },
}

function mapClass(name: string, order: MapOrder, parents: readonly string[]): ClassDefinition {
  return {
    name,
    javaName: `java.util.${name}`,
    parents,
    constructors: {
      '()': () => new ScriptMap(order),
      ...(typeof order === 'function'
        ? { '(Comparator)': (by: ScriptFunction) => new ScriptMap(orderOf(by)) }
        : { '(Map)': (of: ScriptMap, run: ScriptRun) => mapOf(order, notNull(of).entries(), run) }),
    },
    methods: { 'def clone()': (self: ScriptMap, run: ScriptRun) => mapOf(self.order, self.entries(), run) },
  }
}

function endEntry(self: ScriptMap, isFirst: boolean): MapEntry | null {
  const all = self.ordered()
  return all[isFirst ? 0 : all.length - 1] ?? null
}

function endKey(self: ScriptMap, isFirst: boolean): ScriptValue {
  const entry = endEntry(self, isFirst)
  if (entry === null) throw fault('java.util.NoSuchElementException', null)
  return entry.entryKey
}

/** The entry next to a key: the last before it or the first after it, or at it. */
function near(self: ScriptMap, key: ScriptValue, isBefore: boolean, isAt: boolean, run: ScriptRun): MapEntry | null {
  run.step(self.size() >> 1)
  const end = { value: key, isAt }
  const isOnSide = isBefore ? isWithin(self.order, undefined, end) : isWithin(self.order, end, undefined)
  const fits = ({ entryKey }: MapEntry): boolean => isOnSide(entryKey)
  const all = self.ordered()
  return (isBefore ? all.findLast(fits) : all.find(fits)) ?? null
}

/** What lies between two keys. */
function part(self: ScriptMap, from: PartEnd | undefined, to: PartEnd | undefined, run: ScriptRun): ScriptMap {
  const keep = isWithin(self.order, from, to)
  return mapOf(
    self.order,
    self.ordered().filter(({ entryKey }) => keep(entryKey)),
    run,
  )
}

function polled(self: ScriptMap, isFirst: boolean): MapEntry | null {
  const entry = endEntry(self, isFirst)
  if (entry !== null) self.remove(entry.entryKey)
  return entry
}

const SORTED_MAP: ClassDefinition = {
  name: 'SortedMap',
  javaName: 'java.util.SortedMap',
  parents: ['Map'],
  methods: {
    'def firstKey()': (self: ScriptMap) => endKey(self, true),
    'def lastKey()': (self: ScriptMap) => endKey(self, false),
    'SortedMap headMap(def)': (self: ScriptMap, to: ScriptValue, run: ScriptRun) =>
      part(self, undefined, { value: to, isAt: false }, run),
    'SortedMap tailMap(def)': (self: ScriptMap, from: ScriptValue, run: ScriptRun) =>
      part(self, { value: from, isAt: true }, undefined, run),
    'SortedMap subMap(def,def)': (self: ScriptMap, from: ScriptValue, to: ScriptValue, run: ScriptRun) =>
      part(self, { value: from, isAt: true }, { value: to, isAt: false }, run),
  },
}

function keysOf(self: ScriptMap, order: MapOrder, run: ScriptRun): ScriptSet {
  const keys = new ScriptSet(order)
  for (const { entryKey } of turns(self, run)) keys.add(entryKey, run)
  return keys
}

const NAVIGABLE_MAP: ClassDefinition = {
  name: 'NavigableMap',
  javaName: 'java.util.NavigableMap',
  parents: ['SortedMap'],
  methods: {
    'Map.Entry firstEntry()': (self: ScriptMap) => endEntry(self, true),
    'Map.Entry lastEntry()': (self: ScriptMap) => endEntry(self, false),
    'Map.Entry pollFirstEntry()': (self: ScriptMap) => polled(self, true),
    'Map.Entry pollLastEntry()': (self: ScriptMap) => polled(self, false),
    'Map.Entry ceilingEntry(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, false, true, run),
    'def ceilingKey(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, false, true, run)?.entryKey ?? null,
    'Map.Entry floorEntry(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, true, true, run),
    'def floorKey(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, true, true, run)?.entryKey ?? null,
    'Map.Entry higherEntry(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, false, false, run),
    'def higherKey(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, false, false, run)?.entryKey ?? null,
    'Map.Entry lowerEntry(def)': (self: ScriptMap, key: ScriptValue, run: ScriptRun) =>
      near(self, key, true, false, run),
    'NavigableMap headMap(def,boolean)': (self: ScriptMap, to: ScriptValue, isAt: boolean, run: ScriptRun) =>
      part(self, undefined, { value: to, isAt }, run),
    'NavigableMap tailMap(def,boolean)': (self: ScriptMap, from: ScriptValue, isAt: boolean, run: ScriptRun) =>
      part(self, { value: from, isAt }, undefined, run),
    'NavigableMap subMap(def,boolean,def,boolean)': (
      self: ScriptMap,
      from: ScriptValue,
      isFrom: boolean,
      to: ScriptValue,
      isTo: boolean,
      run: ScriptRun,
    ) => part(self, { value: from, isAt: isFrom }, { value: to, isAt: isTo }, run),
    'NavigableSet navigableKeySet()': (self: ScriptMap, run: ScriptRun) => keysOf(self, self.order, run),
    'NavigableSet descendingKeySet()': (self: ScriptMap, run: ScriptRun) => keysOf(self, reversed(self.order), run),
    'NavigableMap descendingMap()': (self: ScriptMap, run: ScriptRun) => {
      return mapOf(reversed(self.order), self.entries(), run)
    },
  },
}

/** An entry that is in no map. */
class LooseEntry extends MapEntry {
  override get className(): string {
    return `java.util.AbstractMap$${this.isFixed ? 'SimpleImmutableEntry' : 'SimpleEntry'}`
  }
}

function entryClass(name: 'SimpleEntry' | 'SimpleImmutableEntry'): ClassDefinition {
  const javaName = `java.util.AbstractMap$${name}`
  const made = (key: ScriptValue, value: ScriptValue): MapEntry => {
    const entry = new LooseEntry(key, value)
    entry.isFixed = name === 'SimpleImmutableEntry'
    return entry
  }
  return {
    name: `AbstractMap.${name}`,
    javaName,
    parents: ['Map.Entry'],
    constructors: {
      '(def,def)': made,
      '(Map.Entry)': ({ entryKey, value }: MapEntry) => made(entryKey, value),
    },
  }
}

/** Maps of `java.util`. */
export const MAP_CLASSES: readonly ClassDefinition[] = [
  MAP,
  ENTRY,
  entryClass('SimpleEntry'),
  entryClass('SimpleImmutableEntry'),
  SORTED_MAP,
  NAVIGABLE_MAP,
  mapClass('HashMap', 'hash', ['Map']),
  mapClass('LinkedHashMap', 'linked', ['HashMap']),
  mapClass('TreeMap', naturalOrder, ['NavigableMap']),
  entryClass('SimpleEntry'),
  entryClass('SimpleImmutableEntry'),
  { name: 'java.util.HashMap$Node', javaName: 'java.util.HashMap$Node', parents: ['Map.Entry'], isUnnamed: true },
  {
    name: 'java.util.Collections$UnmodifiableMap',
    javaName: 'java.util.Collections$UnmodifiableMap',
    parents: ['Map'],
    isUnnamed: true,
  },
  ...CONDITION_CLASSES.map(({ map }) => ({ name: map, javaName: map, parents: ['Map'], isUnnamed: true as const })),
]
