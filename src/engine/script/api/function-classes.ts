import { box } from '../values/boxing.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptFunction } from '../values/script-function.ts'
import { isEqualValue, type ScriptValue } from '../values/script-value.ts'
import { called, doubleOf, intOf, longOf, tested } from './call-function.ts'

const PACKAGE = 'java.util.function.'

/** A lambda made of lambdas. */
function made(name: string, invoke: (...args: ScriptValue[]) => ScriptValue): ScriptFunction {
  return new ScriptFunction(PACKAGE + name, invoke)
}

/** Runs what an interface's own method stands for, the result held as its type says. */
function runner(returns: string): (self: ScriptFunction, ...args: ScriptValue[]) => unknown {
  switch (returns) {
    case 'boolean':
      return tested
    case 'int':
      return intOf
    case 'long':
      return longOf
    case 'double':
      return doubleOf
    case 'void':
      return (self, ...args) => {
        self.invoke(...args)
      }
    default:
      return (self, ...args) => self.invoke(...args)
  }
}

type Members = ClassDefinition['methods']

/** Name, the one method, and what else it has. */
type Interface = readonly [name: string, method: string, methods?: Members, statics?: Members]

function isNegatable(name: string): NonNullable<Members> {
  return {
    [`${name} and(${name})`]: (self: ScriptFunction, other: ScriptFunction) =>
      made(name, (...args) => tested(self, ...args) && tested(other, ...args)),
    [`${name} negate()`]: (self: ScriptFunction) => made(name, (...args) => !tested(self, ...args)),
    [`${name} or(${name})`]: (self: ScriptFunction, other: ScriptFunction) =>
      made(name, (...args) => tested(self, ...args) || tested(other, ...args)),
  }
}

function isChained(name: string): NonNullable<Members> {
  return {
    [`${name} andThen(${name})`]: (self: ScriptFunction, next: ScriptFunction) =>
      made(name, (...args) => {
        self.invoke(...args)
        next.invoke(...args)
        return null
      }),
  }
}

function isComposable(name: string): NonNullable<Members> {
  return {
    [`${name} andThen(${name})`]: (self: ScriptFunction, next: ScriptFunction) =>
      made(name, (value) => next.invoke(self.invoke(value as ScriptValue))),
    [`${name} compose(${name})`]: (self: ScriptFunction, before: ScriptFunction) =>
      made(name, (value) => self.invoke(before.invoke(value as ScriptValue))),
  }
}

function identity(name: string): NonNullable<Members> {
  return { [`${name} identity()`]: () => made(name, (value) => value as ScriptValue) }
}

const FUNCTION_MEMBERS = isComposable('Function')

const INTERFACES: readonly Interface[] = [
  ['BiConsumer', 'void accept(def,def)', isChained('BiConsumer')],
  [
    'BiFunction',
    'def apply(def,def)',
    {
      'BiFunction andThen(Function)': (self: ScriptFunction, next: ScriptFunction) =>
        made('BiFunction', (...args) => next.invoke(self.invoke(...args))),
    },
  ],
  [
    'BinaryOperator',
    'def apply(def,def)',
    undefined,
    {
      'BinaryOperator maxBy(Comparator)': (by: ScriptFunction) =>
        made(
          'BinaryOperator',
          (left, right) => (intOf(called(by), left ?? null, right ?? null) >= 0 ? left : right) ?? null,
        ),
      'BinaryOperator minBy(Comparator)': (by: ScriptFunction) =>
        made(
          'BinaryOperator',
          (left, right) => (intOf(called(by), left ?? null, right ?? null) <= 0 ? left : right) ?? null,
        ),
    },
  ],
  ['BiPredicate', 'boolean test(def,def)', isNegatable('BiPredicate')],
  ['BooleanSupplier', 'boolean getAsBoolean()'],
  ['Consumer', 'void accept(def)', isChained('Consumer')],
  ['DoubleBinaryOperator', 'double applyAsDouble(double,double)'],
  ['DoubleConsumer', 'void accept(double)', isChained('DoubleConsumer')],
  ['DoubleFunction', 'def apply(double)'],
  ['DoublePredicate', 'boolean test(double)', isNegatable('DoublePredicate')],
  ['DoubleSupplier', 'double getAsDouble()'],
  ['DoubleToIntFunction', 'int applyAsInt(double)'],
  ['DoubleToLongFunction', 'long applyAsLong(double)'],
  [
    'DoubleUnaryOperator',
    'double applyAsDouble(double)',
    isComposable('DoubleUnaryOperator'),
    identity('DoubleUnaryOperator'),
  ],
  ['Function', 'def apply(def)', FUNCTION_MEMBERS, identity('Function')],
  ['IntBinaryOperator', 'int applyAsInt(int,int)'],
  ['IntConsumer', 'void accept(int)', isChained('IntConsumer')],
  ['IntFunction', 'def apply(int)'],
  ['IntPredicate', 'boolean test(int)', isNegatable('IntPredicate')],
  ['IntSupplier', 'int getAsInt()'],
  ['IntToDoubleFunction', 'double applyAsDouble(int)'],
  ['IntToLongFunction', 'long applyAsLong(int)'],
  ['IntUnaryOperator', 'int applyAsInt(int)', isComposable('IntUnaryOperator'), identity('IntUnaryOperator')],
  ['LongBinaryOperator', 'long applyAsLong(long,long)'],
  ['LongConsumer', 'void accept(long)', isChained('LongConsumer')],
  ['LongFunction', 'def apply(long)'],
  ['LongPredicate', 'boolean test(long)', isNegatable('LongPredicate')],
  ['LongSupplier', 'long getAsLong()'],
  ['LongToDoubleFunction', 'double applyAsDouble(long)'],
  ['LongToIntFunction', 'int applyAsInt(long)'],
  ['LongUnaryOperator', 'long applyAsLong(long)', isComposable('LongUnaryOperator'), identity('LongUnaryOperator')],
  ['ObjDoubleConsumer', 'void accept(def,double)'],
  ['ObjIntConsumer', 'void accept(def,int)'],
  ['ObjLongConsumer', 'void accept(def,long)'],
  [
    'Predicate',
    'boolean test(def)',
    isNegatable('Predicate'),
    {
      'Predicate isEqual(def)': (value: ScriptValue) =>
        made('Predicate', (other) => isEqualValue(value, other ?? null)),
    },
  ],
  ['Supplier', 'def get()'],
  ['ToDoubleBiFunction', 'double applyAsDouble(def,def)'],
  ['ToDoubleFunction', 'double applyAsDouble(def)'],
  ['ToIntBiFunction', 'int applyAsInt(def,def)'],
  ['ToIntFunction', 'int applyAsInt(def)'],
  ['ToLongBiFunction', 'long applyAsLong(def,def)'],
  ['ToLongFunction', 'long applyAsLong(def)'],
  ['UnaryOperator', 'def apply(def)', FUNCTION_MEMBERS, identity('UnaryOperator')],
]

const PARENTS: Readonly<Record<string, readonly string[]>> = {
  BinaryOperator: ['BiFunction'],
  UnaryOperator: ['Function'],
}

/** `java.util.function`: what lambdas stand for. */
export const FUNCTION_CLASSES: readonly ClassDefinition[] = INTERFACES.map(([name, method, methods, statics]) => {
  const run = runner(method.slice(0, method.indexOf(' ')))
  const params = method
    .slice(method.indexOf('(') + 1, -1)
    .split(',')
    .filter((param) => param !== '')
  return {
    name,
    javaName: PACKAGE + name,
    parents: PARENTS[name] ?? [],
    functional: method,
    methods: {
      ...methods,
      [method]: (self: ScriptFunction, ...args: unknown[]) =>
        run(called(self), ...args.slice(0, params.length).map((value, i) => box(params[i] as string, value))),
    },
    ...(statics === undefined ? {} : { statics }),
  }
})
