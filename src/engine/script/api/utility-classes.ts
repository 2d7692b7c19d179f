import { createHash, randomUUID } from 'node:crypto'
import { fault, ScriptExplanation } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box } from '../values/boxing.ts'
import { notNull } from '../values/not-null.ts'
import type { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptCollection } from '../values/script-collection.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { ScriptList } from '../values/script-list.ts'
import { ScriptMap } from '../values/script-map.ts'
import { ScriptObject } from '../values/script-object.ts'
import { ScriptSet } from '../values/script-set.ts'
import { classNameOf, doubleBox, hashOf, isEqualValue, type ScriptValue, textOf } from '../values/script-value.ts'
import { called, intOf } from './call-function.ts'
import { sorted } from './collection-classes.ts'
import { naturalOrder, orderOf } from './order.ts'
import { ScriptIterator } from './script-iterator.ts'
import { ScriptStream } from './script-stream.ts'

const FIXED_LIST = 'java.util.Collections$UnmodifiableRandomAccessList'
const FIXED_MAP = 'java.util.Collections$UnmodifiableMap'

function arrayList(array: ScriptArray): ScriptValue[] {
  return array.items.map((item) => box(array.element, item))
}

const OBJECTS: ClassDefinition = {
  name: 'Objects',
  javaName: 'java.util.Objects',
  statics: {
    'int compare(def,def,Comparator)': (left: ScriptValue, right: ScriptValue, by: ScriptFunction) =>
      left === right ? 0 : intOf(by, left, right),
    'boolean deepEquals(Object,Object)': isEqualValue,
    'boolean equals(Object,Object)': isEqualValue,
    'int hash(Object[])': (values: ScriptArray) => new ScriptList(arrayList(values)).hash(),
    'int hashCode(Object)': hashOf,
    'boolean isNull(Object)': (value: ScriptValue) => value === null,
    'boolean nonNull(Object)': (value: ScriptValue) => value !== null,
    'def requireNonNull(def)': notNull,
    'def requireNonNull(def,String)': (value: ScriptValue, message: string | null) => {
      if (value === null) throw fault('NullPointerException', message)
      return value
    },
    'String toString(Object)': textOf,
    'String toString(Object,String)': (value: ScriptValue, fallback: string | null) =>
      value === null ? fallback : textOf(value),
  },
}

const ARRAYS: ClassDefinition = {
  name: 'Arrays',
  javaName: 'java.util.Arrays',
  statics: {
    'List asList(Object[])': (array: ScriptArray, run: ScriptRun) => {
      run.allocate(array.items.length * 8)
      return new ScriptList(arrayList(array), 'java.util.Arrays$ArrayList')
    },
    'boolean deepEquals(Object[],Object[])': (left: ScriptArray, right: ScriptArray) =>
      new ScriptList(arrayList(left)).isEqual(new ScriptList(arrayList(right))),
    'int deepHashCode(Object[])': (array: ScriptArray) => new ScriptList(arrayList(array)).hash(),
    'String deepToString(Object[])': (array: ScriptArray) => new ScriptList(arrayList(array)).toText(),
  },
}

/** The greatest member, or with `sign` -1 the least. */
function extreme(values: ScriptCollection, by: ScriptFunction | null, sign: 1 | -1, run: ScriptRun): ScriptValue {
  const order = orderOf(by)
  let best: ScriptValue | undefined
  for (const value of notNull(values).values()) {
    run.step()
    if (best === undefined || order(value, best) * sign > 0) best = value
  }
  if (best === undefined) throw fault('java.util.NoSuchElementException', null)
  return best
}

function shuffled(list: ScriptList, random: (bound: number) => number): void {
  const { items } = list
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const swapped = items[i] as ScriptValue
    items[i] = items[j] as ScriptValue
    items[j] = swapped
  }
}

/** Where a value stands in a sorted list, or would: then below zero, one less. */
function searched(list: ScriptList, value: ScriptValue, by: ScriptFunction | null): number {
  const order = orderOf(by)
  const { items } = list
  let low = 0
  let high = items.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const place = order(items[middle] as ScriptValue, value)
    if (place === 0) return middle
    if (place < 0) low = middle + 1
    else high = middle - 1
  }
  return -low - 1
}

/** Where a list holds another. */
function placesOf({ items }: ScriptList, { items: part }: ScriptList, run: ScriptRun): number[] {
  const places: number[] = []
  for (let at = 0; at + part.length <= items.length; at++) {
    run.step(1 + (part.length >> 2))
    if (part.every((value, i) => isEqualValue(items[at + i] as ScriptValue, value))) places.push(at)
  }
  return places
}

function fixedMap(map: ScriptMap, run: ScriptRun): ScriptMap {
  const copy = new ScriptMap(notNull(map).order)
  for (const { entryKey, value } of map.entries()) copy.put(entryKey, value, run)
  return copy.fix()
}

function fixedSet(of: ScriptCollection, run: ScriptRun): ScriptSet {
  const copy = new ScriptSet(of instanceof ScriptSet ? of.order : 'linked')
  for (const value of of.values()) copy.add(value, run)
  return copy.fix()
}

const COLLECTIONS: ClassDefinition = {
  name: 'Collections',
  javaName: 'java.util.Collections',
  constants: {
    'List EMPTY_LIST': new ScriptList([], FIXED_LIST),
    'Set EMPTY_SET': new ScriptSet(),
    'Map EMPTY_MAP': new ScriptMap('linked', FIXED_MAP, true),
  },
  statics: {
    'boolean addAll(Collection,def[])': (to: ScriptCollection, values: ScriptArray, run: ScriptRun) => {
      for (const value of arrayList(values)) to.add(value, run)
      return values.items.length > 0
    },
    'int binarySearch(List,def)': (list: ScriptList, value: ScriptValue) => searched(list, value, null),
    'int binarySearch(List,def,Comparator)': (list: ScriptList, value: ScriptValue, by: ScriptFunction | null) =>
      searched(list, value, by),
    'void copy(List,List)': (to: ScriptList, from: ScriptList, run: ScriptRun) => {
      if (from.size() > to.size()) throw fault('IndexOutOfBoundsException', 'Source does not fit in dest')
      run.step(from.size() >> 2)
      for (const [i, value] of from.items.entries()) to.set(i, value)
    },
    'Iterator emptyIterator()': () => new ScriptIterator([]),
    'ListIterator emptyListIterator()': () => new ScriptIterator([]),
    'SortedMap emptySortedMap()': () => new ScriptMap(orderOf(null)).fix(),
    'NavigableMap emptyNavigableMap()': () => new ScriptMap(orderOf(null)).fix(),
    'SortedSet emptySortedSet()': () => new ScriptSet(orderOf(null)).fix(),
    'NavigableSet emptyNavigableSet()': () => new ScriptSet(orderOf(null)).fix(),
    'int indexOfSubList(List,List)': (list: ScriptList, part: ScriptList, run: ScriptRun) =>
      placesOf(list, part, run)[0] ?? -1,
    'int lastIndexOfSubList(List,List)': (list: ScriptList, part: ScriptList, run: ScriptRun) =>
      placesOf(list, part, run).at(-1) ?? -1,
    'Map unmodifiableMap(Map)': fixedMap,
    'SortedMap unmodifiableSortedMap(SortedMap)': fixedMap,
    'NavigableMap unmodifiableNavigableMap(NavigableMap)': fixedMap,
    'Set unmodifiableSet(Set)': fixedSet,
    'SortedSet unmodifiableSortedSet(SortedSet)': fixedSet,
    'NavigableSet unmodifiableNavigableSet(NavigableSet)': fixedSet,
    'boolean disjoint(Collection,Collection)': (left: ScriptCollection, right: ScriptCollection, run: ScriptRun) => {
      for (const value of left.values()) {
        run.step()
        if (right.contains(value)) return false
      }
      return true
    },
    'List emptyList()': () => new ScriptList([], FIXED_LIST),
    'Map emptyMap()': () => new ScriptMap('linked', FIXED_MAP, true),
    'Set emptySet()': () => new ScriptSet(),
    'void fill(List,def)': (list: ScriptList, value: ScriptValue, run: ScriptRun) => {
      run.step(list.size() >> 2)
      list.items.fill(value)
    },
    'int frequency(Collection,def)': (values: ScriptCollection, value: ScriptValue, run: ScriptRun) => {
      let count = 0
      for (const member of values.values()) {
        run.step()
        if (isEqualValue(member, value)) count++
      }
      return count
    },
    'def max(Collection)': (values: ScriptCollection, run: ScriptRun) => extreme(values, null, 1, run),
    'def max(Collection,Comparator)': (values: ScriptCollection, by: ScriptFunction, run: ScriptRun) =>
      extreme(values, by, 1, run),
    'def min(Collection)': (values: ScriptCollection, run: ScriptRun) => extreme(values, null, -1, run),
    'def min(Collection,Comparator)': (values: ScriptCollection, by: ScriptFunction, run: ScriptRun) =>
      extreme(values, by, -1, run),
    'List nCopies(int,def)': (count: number, value: ScriptValue, run: ScriptRun) => {
      if (count < 0) throw fault('IllegalArgumentException', `List length = ${count}`)
      run.allocate(count * 8)
      return new ScriptList(new Array<ScriptValue>(count).fill(value), FIXED_LIST)
    },
    'boolean replaceAll(List,def,def)': (list: ScriptList, old: ScriptValue, value: ScriptValue, run: ScriptRun) => {
      let isChanged = false
      list.items.forEach((member, i) => {
        run.step()
        if (!isEqualValue(member, old)) return
        list.set(i, value)
        isChanged = true
      })
      return isChanged
    },
    'void reverse(List)': (list: ScriptList, run: ScriptRun) => {
      run.step(list.size() >> 2)
      list.replace([...list.items].reverse())
    },
    'Comparator reverseOrder()': () =>
      new ScriptFunction('java.util.Comparator', (left, right) => naturalOrder(right ?? null, left ?? null), 2),
    'Comparator reverseOrder(Comparator)': (by: ScriptFunction) =>
      new ScriptFunction('java.util.Comparator', (left, right) => called(by).invoke(right ?? null, left ?? null), 2),
    'void rotate(List,int)': (list: ScriptList, by: number, run: ScriptRun) => {
      run.step(list.size() >> 2)
      const { items } = list
      const start = items.length === 0 ? 0 : ((-by % items.length) + items.length) % items.length
      list.replace([...items.slice(start), ...items.slice(0, start)])
    },
    'void shuffle(List)': (list: ScriptList, run: ScriptRun) => {
      run.step(list.size() >> 2)
      shuffled(list, (bound) => Math.floor(Math.random() * bound))
    },
    'void shuffle(List,Random)': (list: ScriptList, random: ScriptRandom, run: ScriptRun) => {
      run.step(list.size())
      shuffled(list, (bound) => random.nextBelow(bound))
    },
    'Set singleton(def)': (value: ScriptValue) => {
      const set = new ScriptSet()
      set.add(value)
      return set
    },
    'List singletonList(def)': (value: ScriptValue) => new ScriptList([value], 'java.util.Collections$SingletonList'),
    'Map singletonMap(def,def)': (key: ScriptValue, value: ScriptValue) => {
      const map = new ScriptMap('linked')
      map.put(key, value)
      return map
    },
    'void sort(List)': (list: ScriptList, run: ScriptRun) => sorted(list, null, run),
    'void sort(List,Comparator)': (list: ScriptList, by: ScriptFunction | null, run: ScriptRun) =>
      sorted(list, by, run),
    'void swap(List,int,int)': (list: ScriptList, i: number, j: number) => {
      list.set(i, list.set(j, list.get(i)))
    },
    'Collection unmodifiableCollection(Collection)': (values: ScriptCollection, run: ScriptRun) => {
      run.allocate(values.size() * 8)
      return new ScriptList([...values.values()], FIXED_LIST)
    },
    'List unmodifiableList(List)': (list: ScriptList, run: ScriptRun) => {
      run.allocate(list.size() * 8)
      return new ScriptList([...list.items], FIXED_LIST)
    },
  },
}

const MASK = (1n << 48n) - 1n
const MULTIPLIER = 0x5deece66dn

/** Java's `Random`, number for number. */
class ScriptRandom extends ScriptObject {
  #seed: bigint
  #gaussian: number | undefined

  constructor(seed: bigint) {
    super()
    this.#seed = (seed ^ MULTIPLIER) & MASK
  }

  get className(): string {
    return 'java.util.Random'
  }

  setSeed(seed: bigint): void {
    this.#gaussian = undefined
    this.#seed = (seed ^ MULTIPLIER) & MASK
  }

  bits(count: number): number {
    this.#seed = (this.#seed * MULTIPLIER + 0xbn) & MASK
    return Number(BigInt.asIntN(32, this.#seed >> BigInt(48 - count)))
  }

  nextBelow(bound: number): number {
    if (bound <= 0) throw fault('IllegalArgumentException', 'bound must be positive')
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(this.bits(31))) >> 31n)
    while (true) {
      const raw = this.bits(31)
      const value = raw % bound
      if (((raw - value + (bound - 1)) | 0) >= 0) return value
    }
  }

  nextDouble(): number {
    return (this.bits(26) * 2 ** 27 + this.bits(27)) * 2 ** -53
  }

  /** Two at a time, the second of which waits. */
  nextGaussian(): number {
    const waiting = this.#gaussian
    this.#gaussian = undefined
    if (waiting !== undefined) return waiting
    for (;;) {
      const x = 2 * this.nextDouble() - 1
      const y = 2 * this.nextDouble() - 1
      const size = x * x + y * y
      if (size >= 1 || size === 0) continue
      const by = Math.sqrt((-2 * Math.log(size)) / size)
      this.#gaussian = y * by
      return x * by
    }
  }

  nextLong(): bigint {
    const high = BigInt(this.bits(32))
    return BigInt.asIntN(64, (high << 32n) + BigInt(this.bits(32)))
  }
}

function* times(count: bigint, make: () => ScriptValue): IterableIterator<ScriptValue> {
  for (let i = 0n; i < count; i++) yield make()
}

const RANDOM: ClassDefinition = {
  name: 'Random',
  javaName: 'java.util.Random',
  constructors: {
    '()': () => new ScriptRandom(BigInt(Math.floor(Math.random() * 2 ** 48))),
    '(long)': (seed: bigint) => new ScriptRandom(seed),
  },
  methods: {
    'boolean nextBoolean()': (self: ScriptRandom) => self.bits(1) !== 0,
    'double nextDouble()': (self: ScriptRandom) => self.nextDouble(),
    'float nextFloat()': (self: ScriptRandom) => self.bits(24) / 2 ** 24,
    'int nextInt()': (self: ScriptRandom) => self.bits(32),
    'int nextInt(int)': (self: ScriptRandom, bound: number) => self.nextBelow(bound),
    'long nextLong()': (self: ScriptRandom) => self.nextLong(),
    'double nextGaussian()': (self: ScriptRandom) => self.nextGaussian(),
    'void nextBytes(byte[])': (self: ScriptRandom, { items }: ScriptArray) => {
      for (let i = 0, word = 0; i < items.length; i++, word >>= 8) {
        if (i % 4 === 0) word = self.bits(32)
        items[i] = (word << 24) >> 24
      }
    },
    'IntStream ints(long)': (self: ScriptRandom, count: bigint, run: ScriptRun) =>
      new ScriptStream(
        'int',
        times(count, () => self.bits(32)),
        run,
      ),
    'IntStream ints(long,int,int)': (self: ScriptRandom, count: bigint, from: number, to: number, run: ScriptRun) => {
      if (from >= to) throw fault('IllegalArgumentException', 'bound must be greater than origin')
      return new ScriptStream(
        'int',
        times(count, () => from + self.nextBelow(to - from)),
        run,
      )
    },
    'LongStream longs(long)': (self: ScriptRandom, count: bigint, run: ScriptRun) =>
      new ScriptStream(
        'long',
        times(count, () => self.nextLong()),
        run,
      ),
    'DoubleStream doubles(long)': (self: ScriptRandom, count: bigint, run: ScriptRun) =>
      new ScriptStream(
        'double',
        times(count, () => doubleBox(self.nextDouble())),
        run,
      ),
    'DoubleStream doubles(long,double,double)': (
      self: ScriptRandom,
      count: bigint,
      from: number,
      to: number,
      run: ScriptRun,
    ) =>
      new ScriptStream(
        'double',
        times(count, () => doubleBox(self.nextDouble() * (to - from) + from)),
        run,
      ),
    'void setSeed(long)': (self: ScriptRandom, seed: bigint) => self.setSeed(seed),
  },
}

/** Java's `UUID`. */
class ScriptUuid extends ScriptObject {
  readonly hex: string

  constructor(hex: string) {
    super()
    this.hex = hex
  }

  get className(): string {
    return 'java.util.UUID'
  }

  override toText(): string {
    return this.hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptUuid && other.hex === this.hex
  }

  /** As numbers with signs. */
  override compare(other: unknown): number | undefined {
    if (!(other instanceof ScriptUuid)) return undefined
    const [mine, others] = [this.halves, other.halves]
    const at = mine[0] === others[0] ? 1 : 0
    const [left, right] = [mine[at] as bigint, others[at] as bigint]
    return left < right ? -1 : left > right ? 1 : 0
  }

  get halves(): readonly [bigint, bigint] {
    const half = (hex: string): bigint => BigInt.asIntN(64, BigInt(`0x${hex}`))
    return [half(this.hex.slice(0, 16)), half(this.hex.slice(16))]
  }

  get version(): number {
    return Number.parseInt(this.hex[12] as string, 16)
  }

  /** What is known of those that are made of time alone. @throws {ScriptFault} unsupported_operation_exception */
  get timed(): bigint {
    if (this.version !== 1) throw fault('UnsupportedOperationException', 'Not a time-based UUID')
    return BigInt(`0x${this.hex}`)
  }
}

const UUID_IN_SIX: ClassDefinition = {
  name: 'UUID',
  javaName: 'java.util.UUID',
  constructors: {
    '(long,long)': (most: bigint, least: bigint) =>
      new ScriptUuid([most, least].map((half) => BigInt.asUintN(64, half).toString(16).padStart(16, '0')).join('')),
  },
  methods: {
    'int compareTo(UUID)': (self: ScriptUuid, other: ScriptUuid) => notNull(other) && self.compare(other),
    'long getLeastSignificantBits()': ({ halves }: ScriptUuid) => halves[1],
    'long getMostSignificantBits()': ({ halves }: ScriptUuid) => halves[0],
    'int version()': (self: ScriptUuid) => self.version,
    'int variant()': ({ hex }: ScriptUuid) => {
      const bits = Number.parseInt(hex[16] as string, 16)
      return bits < 8 ? 0 : bits < 12 ? 2 : bits >> 1
    },
    'int clockSequence()': ({ timed }: ScriptUuid) => Number((timed >> 48n) & 0x3fffn),
    'long node()': ({ timed }: ScriptUuid) => timed & 0xffffffffffffn,
    'long timestamp()': ({ timed }: ScriptUuid) =>
      (((timed >> 64n) & 0xfffn) << 48n) | (((timed >> 80n) & 0xffffn) << 32n) | (timed >> 96n),
  },
  statics: {
    'UUID fromString(String)': (text: string) => {
      const parts = text.split('-')
      if (parts.length !== 5 || parts.some((part) => !/^[0-9a-fA-F]{1,12}$/.test(part))) {
        throw fault('IllegalArgumentException', `Invalid UUID string: ${text}`)
      }
      return new ScriptUuid(
        parts.map((part, i) => part.toLowerCase().padStart([8, 4, 4, 4, 12][i] as number, '0')).join(''),
      )
    },
    'UUID nameUUIDFromBytes(byte[])': (bytes: ScriptArray) => {
      const digest = createHash('md5')
        .update(Uint8Array.from(bytes.items as number[]))
        .digest()
      digest[6] = ((digest[6] as number) & 0x0f) | 0x30
      digest[8] = ((digest[8] as number) & 0x3f) | 0x80
      return new ScriptUuid(digest.toString('hex'))
    },
  },
}

const UUID: ClassDefinition = {
  ...UUID_IN_SIX,
  later: {
    ...UUID_IN_SIX,
    statics: {
      ...UUID_IN_SIX.statics,
      'UUID randomUUID()': () => new ScriptUuid(randomUUID().replaceAll('-', '')),
    },
  },
}

/** Whether scripts know a class only by what it extends: arrays, and Java's own within others. */
const isHidden = (javaName: string): boolean =>
  javaName.startsWith('[') ||
  (javaName.startsWith('java.') && (javaName.includes('$') || javaName.includes('.stream.')))

const DEBUG: ClassDefinition = {
  name: 'Debug',
  javaName: 'org.elasticsearch.painless.api.Debug',
  statics: {
    'void explain(Object)': (value: ScriptValue) => {
      const name = classNameOf(value)
      throw new ScriptExplanation({
        ...(value === null || isHidden(name) ? {} : { painless_class: name.replaceAll('$', '.') }),
        to_string: textOf(value),
        ...(value === null ? {} : { java_class: name }),
      })
    },
  },
}

/** Objects, Arrays, Collections, Random, UUID and Debug. */
export const UTILITY_CLASSES: readonly ClassDefinition[] = [OBJECTS, ARRAYS, COLLECTIONS, RANDOM, UUID, DEBUG]
