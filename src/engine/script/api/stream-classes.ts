import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box, numberIn } from '../values/boxing.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { keyOf, type ScriptValue } from '../values/script-value.ts'
import { called, doubleOf, intOf, longOf, tested } from './call-function.ts'
import { type Collector, collect } from './collector-classes.ts'
import { ScriptOptional } from './optional-classes.ts'
import { naturalOrder, orderOf } from './order.ts'
import { ScriptIterator } from './script-iterator.ts'
import { ScriptStream, type StreamKind } from './script-stream.ts'
import { type SummaryKind, summed } from './summary-classes.ts'

type Members = NonNullable<ClassDefinition['methods']>

/** What a kind of stream is called and what its lambdas are. */
interface Kind {
  readonly kind: StreamKind
  readonly name: string
  /** Prefix of the functional interfaces. */
  readonly prefix: string
  readonly type: string
  readonly optional: string
}

const KINDS: readonly Kind[] = [
  { kind: 'object', name: 'Stream', prefix: '', type: 'def', optional: 'Optional' },
  { kind: 'int', name: 'IntStream', prefix: 'Int', type: 'int', optional: 'OptionalInt' },
  { kind: 'long', name: 'LongStream', prefix: 'Long', type: 'long', optional: 'OptionalLong' },
  { kind: 'double', name: 'DoubleStream', prefix: 'Double', type: 'double', optional: 'OptionalDouble' },
]

function* limited(values: Iterable<ScriptValue>, count: bigint): IterableIterator<ScriptValue> {
  let left = count
  if (left <= 0n) return
  for (const value of values) {
    yield value
    if (--left <= 0n) return
  }
}

function* skipped(values: Iterable<ScriptValue>, count: bigint): IterableIterator<ScriptValue> {
  let left = count
  for (const value of values) if (left-- <= 0n) yield value
}

function* mapped(
  values: Iterable<ScriptValue>,
  make: (value: ScriptValue) => ScriptValue,
): IterableIterator<ScriptValue> {
  for (const value of values) yield make(value)
}

function* filtered(
  values: Iterable<ScriptValue>,
  test: (value: ScriptValue) => boolean,
): IterableIterator<ScriptValue> {
  for (const value of values) if (test(value)) yield value
}

function* distinct(values: Iterable<ScriptValue>): IterableIterator<ScriptValue> {
  const seen = new Set<unknown>()
  for (const value of values) {
    const key = keyOf(value)
    if (seen.has(key)) continue
    seen.add(key)
    yield value
  }
}

function* flattened(
  values: Iterable<ScriptValue>,
  make: (value: ScriptValue) => ScriptValue,
): IterableIterator<ScriptValue> {
  for (const value of values) {
    const inner = make(value)
    if (inner instanceof ScriptStream) yield* inner.values()
    else if (inner !== null) throw fault('ClassCastException', 'a function of flatMap must make streams')
  }
}

function* ordered(self: ScriptStream, order: (left: ScriptValue, right: ScriptValue) => number) {
  yield* self.all().sort(order)
}

function result(type: string, value: ScriptValue): unknown {
  return type === 'def' || value === null ? value : type === 'double' ? Number(numberIn(value)) : numberIn(value)
}

function reduced(self: ScriptStream, by: ScriptFunction, kind: Kind): ScriptOptional {
  let total: ScriptValue | undefined
  for (const value of self.values()) total = total === undefined ? value : called(by).invoke(total, value)
  return new ScriptOptional(kind.optional, total)
}

function membersOf(kind: Kind): Members {
  const { name, prefix, type, optional } = kind
  const operator = type === 'def' ? 'BinaryOperator' : `${prefix}BinaryOperator`
  return {
    [`boolean allMatch(${prefix}Predicate)`]: (self: ScriptStream, test: ScriptFunction) => {
      for (const value of self.values()) if (!tested(test, value)) return false
      return true
    },
    [`boolean anyMatch(${prefix}Predicate)`]: (self: ScriptStream, test: ScriptFunction) => {
      for (const value of self.values()) if (tested(test, value)) return true
      return false
    },
    [`boolean noneMatch(${prefix}Predicate)`]: (self: ScriptStream, test: ScriptFunction) => {
      for (const value of self.values()) if (tested(test, value)) return false
      return true
    },
    'long count()': (self: ScriptStream) => {
      let count = 0n
      for (const _ of self.values()) count++
      return count
    },
    [`${name} distinct()`]: (self: ScriptStream) => self.map(distinct),
    [`${name} filter(${prefix}Predicate)`]: (self: ScriptStream, test: ScriptFunction) =>
      self.map((values) => filtered(values, (value) => tested(test, value))),
    [`${optional} findFirst()`]: (self: ScriptStream) => new ScriptOptional(optional, firstOf(self)),
    [`${optional} findAny()`]: (self: ScriptStream) => new ScriptOptional(optional, firstOf(self)),
    [`void forEach(${prefix}Consumer)`]: (self: ScriptStream, act: ScriptFunction) => {
      for (const value of self.values()) called(act).invoke(value)
    },
    [`void forEachOrdered(${prefix}Consumer)`]: (self: ScriptStream, act: ScriptFunction) => {
      for (const value of self.values()) called(act).invoke(value)
    },
    [`${name} flatMap(${prefix}Function)`]: (self: ScriptStream, make: ScriptFunction) =>
      self.map((values) => flattened(values, (value) => called(make).invoke(value))),
    'Iterator iterator()': (self: ScriptStream) => new ScriptIterator(self.all()),
    [`${name} limit(long)`]: (self: ScriptStream, count: bigint) => self.map((values) => limited(values, count)),
    [`${name} skip(long)`]: (self: ScriptStream, count: bigint) => self.map((values) => skipped(values, count)),
    [`${name} peek(${prefix}Consumer)`]: (self: ScriptStream, act: ScriptFunction) =>
      self.map((values) =>
        mapped(values, (value) => {
          called(act).invoke(value)
          return value
        }),
      ),
    [`${name} sequential()`]: (self: ScriptStream) => self,
    [`${name} sorted()`]: (self: ScriptStream) => new ScriptStream(self.kind, ordered(self, naturalOrder), self.run),
    [`${optional} reduce(${operator})`]: (self: ScriptStream, by: ScriptFunction) => reduced(self, by, kind),
    [`${type} reduce(${type},${operator})`]: (self: ScriptStream, start: unknown, by: ScriptFunction) => {
      let total = box(type, start)
      for (const value of self.values()) total = called(by).invoke(total, value)
      return result(type, total)
    },
    [`${type}[] toArray()`]: (self: ScriptStream) =>
      new ScriptArray(
        type,
        self.all().map((value) => result(type, value)),
      ),
  }
}

function firstOf(self: ScriptStream): ScriptValue | undefined {
  for (const value of self.values()) return value
  return undefined
}

function extreme(
  self: ScriptStream,
  order: (left: ScriptValue, right: ScriptValue) => number,
): ScriptValue | undefined {
  let best: ScriptValue | undefined
  for (const value of self.values()) if (best === undefined || order(value, best) < 0) best = value
  return best
}

const reverse =
  (order: (left: ScriptValue, right: ScriptValue) => number) =>
  (left: ScriptValue, right: ScriptValue): number =>
    order(right, left)

/** What streams of objects have alone. */
const OBJECT_MEMBERS: Members = {
  'def collect(Collector)': (self: ScriptStream, into: Collector) => collect(into, self.values(), self.run),
  'def collect(Supplier,BiConsumer,BiConsumer)': (self: ScriptStream, make: ScriptFunction, add: ScriptFunction) => {
    const made = called(make).invoke()
    for (const value of self.values()) called(add).invoke(made, value)
    return made
  },
  'Stream map(Function)': (self: ScriptStream, make: ScriptFunction) =>
    self.map((values) => mapped(values, (value) => called(make).invoke(value))),
  'IntStream mapToInt(ToIntFunction)': (self: ScriptStream, make: ScriptFunction) =>
    self.map((values) => mapped(values, (value) => intOf(make, value)), 'int'),
  'LongStream mapToLong(ToLongFunction)': (self: ScriptStream, make: ScriptFunction) =>
    self.map((values) => mapped(values, (value) => longOf(make, value)), 'long'),
  'DoubleStream mapToDouble(ToDoubleFunction)': (self: ScriptStream, make: ScriptFunction) =>
    self.map((values) => mapped(values, (value) => box('double', doubleOf(make, value))), 'double'),
  'Optional max(Comparator)': (self: ScriptStream, by: ScriptFunction) =>
    new ScriptOptional('Optional', extreme(self, reverse(orderOf(called(by))))),
  'Optional min(Comparator)': (self: ScriptStream, by: ScriptFunction) =>
    new ScriptOptional('Optional', extreme(self, orderOf(called(by)))),
  'def reduce(def,BiFunction,BinaryOperator)': (self: ScriptStream, start: ScriptValue, by: ScriptFunction) => {
    let total = start
    for (const value of self.values()) total = called(by).invoke(total, value)
    return total
  },
  'Stream sorted(Comparator)': (self: ScriptStream, by: ScriptFunction) =>
    new ScriptStream('object', ordered(self, orderOf(by)), self.run),
  'def[] toArray(IntFunction)': (self: ScriptStream) => new ScriptArray('def', self.all()),
}

/** What streams of numbers have alone. */
function numberMembers({ kind, name, prefix, type, optional }: Kind): Members {
  const add = (self: ScriptStream): number | bigint => {
    if (type === 'double') return self.all().reduce((sum: number, value) => sum + Number(numberIn(value)), 0)
    const sum = self.all().reduce((total: bigint, value) => total + BigInt(numberIn(value)), 0n)
    return type === 'int' ? Number(BigInt.asIntN(32, sum)) : BigInt.asIntN(64, sum)
  }
  return {
    'OptionalDouble average()': (self: ScriptStream) => {
      const all = self.all().map((value) => Number(numberIn(value)))
      const sum = all.reduce((total, value) => total + value, 0)
      return new ScriptOptional('OptionalDouble', all.length === 0 ? undefined : box('double', sum / all.length))
    },
    'Stream boxed()': (self: ScriptStream) => self.map((values) => values, 'object'),
    'LongStream asLongStream()': (self: ScriptStream) =>
      self.map((values) => mapped(values, (value) => BigInt(numberIn(value))), 'long'),
    'DoubleStream asDoubleStream()': (self: ScriptStream) =>
      self.map((values) => mapped(values, (value) => box('double', Number(numberIn(value)))), 'double'),
    [`${name} map(${prefix}UnaryOperator)`]: (self: ScriptStream, make: ScriptFunction) =>
      self.map((values) => mapped(values, (value) => called(make).invoke(value))),
    [`Stream mapToObj(${prefix}Function)`]: (self: ScriptStream, make: ScriptFunction) =>
      self.map((values) => mapped(values, (value) => called(make).invoke(value)), 'object'),
    ...(kind === 'int'
      ? {}
      : {
          [`IntStream mapToInt(${prefix}ToIntFunction)`]: (self: ScriptStream, make: ScriptFunction) =>
            self.map((values) => mapped(values, (value) => intOf(make, value)), 'int'),
        }),
    ...(kind === 'long'
      ? {}
      : {
          [`LongStream mapToLong(${prefix}ToLongFunction)`]: (self: ScriptStream, make: ScriptFunction) =>
            self.map((values) => mapped(values, (value) => longOf(make, value)), 'long'),
        }),
    ...(kind === 'double'
      ? {}
      : {
          [`DoubleStream mapToDouble(${prefix}ToDoubleFunction)`]: (self: ScriptStream, make: ScriptFunction) =>
            self.map((values) => mapped(values, (value) => box('double', doubleOf(make, value))), 'double'),
        }),
    [`${optional} max()`]: (self: ScriptStream) => new ScriptOptional(optional, extreme(self, reverse(naturalOrder))),
    [`${optional} min()`]: (self: ScriptStream) => new ScriptOptional(optional, extreme(self, naturalOrder)),
    [`${type} sum()`]: add,
    [`${prefix}SummaryStatistics summaryStatistics()`]: (self: ScriptStream) =>
      summed(prefix as SummaryKind, self.values(), numberIn),
  }
}

function staticsOf({ kind, name, type }: Kind): Members {
  return {
    [`${name} empty()`]: (run: ScriptRun) => new ScriptStream(kind, [], run),
    [`${name} of(${type}[])`]: (array: ScriptArray, run: ScriptRun) =>
      new ScriptStream(
        kind,
        array.items.map((item) => box(array.element, item)),
        run,
      ),
    [`${name} concat(${name},${name})`]: (first: ScriptStream, second: ScriptStream, run: ScriptRun) => {
      const both = function* () {
        yield* first.values()
        yield* second.values()
      }
      return new ScriptStream(kind, both(), run)
    },
    ...(kind === 'int' || kind === 'long'
      ? {
          [`${name} range(${type},${type})`]: (from: number | bigint, to: number | bigint, run: ScriptRun) =>
            new ScriptStream(kind, counted(from, to), run),
          [`${name} rangeClosed(${type},${type})`]: (from: number | bigint, to: number | bigint, run: ScriptRun) =>
            new ScriptStream(kind, typeof to === 'bigint' ? counted(from, to + 1n) : counted(from, to + 1), run),
        }
      : {}),
  }
}

function* counted(from: number | bigint, to: number | bigint): IterableIterator<ScriptValue> {
  for (let i = from; i < to; i++) yield i
}

const JAVA: Readonly<Record<StreamKind, string>> = {
  object: 'ReferencePipeline',
  int: 'IntPipeline',
  long: 'LongPipeline',
  double: 'DoublePipeline',
}

/** `java.util.stream`'s streams. */
export const STREAM_CLASSES: readonly ClassDefinition[] = KINDS.flatMap((kind) => [
  {
    name: kind.name,
    javaName: `java.util.stream.${kind.name}`,
    methods: { ...membersOf(kind), ...(kind.kind === 'object' ? OBJECT_MEMBERS : numberMembers(kind)) },
    statics: staticsOf(kind),
  },
  {
    name: `java.util.stream.${JAVA[kind.kind]}`,
    javaName: `java.util.stream.${JAVA[kind.kind]}`,
    parents: [kind.name],
    isUnnamed: true,
  },
])
