import { compareDoubles } from '../../algorithms/double-order.ts'
import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import { fault } from '../script-fault.ts'
import { convertNumber, numberIn } from '../values/boxing.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { Box, doubleBox, hashOf, longHash } from '../values/script-value.ts'
import { decodeWhole, parseDecimal, parseUnsigned, parseWhole } from './number-text.ts'

const int64 = (value: bigint): bigint => BigInt.asIntN(64, value)
const unsigned64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const compareAny = (left: number | bigint, right: number | bigint): number => (left < right ? -1 : left > right ? 1 : 0)
const bits = new DataView(new ArrayBuffer(8))

function divisor(value: bigint): bigint {
  if (value === 0n) throw fault('ArithmeticException', '/ by zero')
  return unsigned64(value)
}

function floatBits(value: number): number {
  bits.setFloat32(0, value)
  return bits.getInt32(0)
}

function radixText(value: bigint | number, radix: number): string {
  return value.toString(radix >= 2 && radix <= 36 ? radix : 10)
}

function bitCount(value: bigint): number {
  let count = 0
  for (let rest = unsigned64(value); rest > 0n; rest &= rest - 1n) count++
  return count
}

function trailingZeros(value: bigint, size: number): number {
  if (value === 0n) return size
  let count = 0
  for (let rest = value; (rest & 1n) === 0n; rest >>= 1n) count++
  return count
}

function reversed(value: bigint, size: number, unit: number): bigint {
  let result = 0n
  const mask = (1n << BigInt(unit)) - 1n
  let rest = BigInt.asUintN(size, value)
  for (let i = 0; i < size; i += unit) {
    result = (result << BigInt(unit)) | (rest & mask)
    rest >>= BigInt(unit)
  }
  return BigInt.asIntN(size, result)
}

function rotated(value: bigint, distance: number, size: number): bigint {
  const by = BigInt(((distance % size) + size) % size)
  const rest = BigInt.asUintN(size, value)
  return BigInt.asIntN(size, (rest << by) | (rest >> (BigInt(size) - by)))
}

const NUMBER: ClassDefinition = {
  name: 'Number',
  javaName: 'java.lang.Number',
  methods: {
    'byte byteValue()': (self: Box) => convertNumber(numberIn(self), 'byte'),
    'short shortValue()': (self: Box) => convertNumber(numberIn(self), 'short'),
    'int intValue()': (self: Box) => convertNumber(numberIn(self), 'int'),
    'long longValue()': (self: Box) => convertNumber(numberIn(self), 'long'),
    'float floatValue()': (self: Box) => convertNumber(numberIn(self), 'float'),
    'double doubleValue()': (self: Box) => convertNumber(numberIn(self), 'double'),
  },
}

const INTEGER: ClassDefinition = {
  name: 'Integer',
  javaName: 'java.lang.Integer',
  parents: ['Number', 'Comparable'],
  constants: { 'int BYTES': 4, 'int MAX_VALUE': 2147483647, 'int MIN_VALUE': -2147483648, 'int SIZE': 32 },
  statics: {
    'int bitCount(int)': (value: number) => bitCount(BigInt(value >>> 0)),
    'int compare(int,int)': compareAny,
    'int compareUnsigned(int,int)': (left: number, right: number) => compareAny(left >>> 0, right >>> 0),
    'Integer decode(String)': (text: string) => Number(decodeWhole(text, 32)),
    'int divideUnsigned(int,int)': (left: number, right: number) => {
      if (right === 0) throw fault('ArithmeticException', '/ by zero')
      return Math.floor((left >>> 0) / (right >>> 0)) | 0
    },
    'int remainderUnsigned(int,int)': (left: number, right: number) => {
      if (right === 0) throw fault('ArithmeticException', '/ by zero')
      return ((left >>> 0) % (right >>> 0)) | 0
    },
    'int hashCode(int)': (value: number) => value,
    'int highestOneBit(int)': (value: number) => (value === 0 ? 0 : (1 << (31 - Math.clz32(value))) | 0),
    'int lowestOneBit(int)': (value: number) => value & -value,
    'int max(int,int)': (left: number, right: number) => Math.max(left, right),
    'int min(int,int)': (left: number, right: number) => Math.min(left, right),
    'int numberOfLeadingZeros(int)': (value: number) => Math.clz32(value),
    'int numberOfTrailingZeros(int)': (value: number) => trailingZeros(BigInt(value >>> 0), 32),
    'int parseInt(String)': (text: string | null) => Number(parseWhole(text, 32)),
    'int parseInt(String,int)': (text: string | null, radix: number) => Number(parseWhole(text, 32, radix)),
    'int parseUnsignedInt(String)': (text: string | null) => Number(parseUnsigned(text, 32)),
    'int parseUnsignedInt(String,int)': (text: string | null, radix: number) => Number(parseUnsigned(text, 32, radix)),
    'int reverse(int)': (value: number) => Number(reversed(BigInt(value), 32, 1)),
    'int reverseBytes(int)': (value: number) => Number(reversed(BigInt(value), 32, 8)),
    'int rotateLeft(int,int)': (value: number, by: number) => Number(rotated(BigInt(value), by, 32)),
    'int rotateRight(int,int)': (value: number, by: number) => Number(rotated(BigInt(value), -by, 32)),
    'int signum(int)': (value: number) => Math.sign(value),
    'String toBinaryString(int)': (value: number) => (value >>> 0).toString(2),
    'String toHexString(int)': (value: number) => (value >>> 0).toString(16),
    'String toOctalString(int)': (value: number) => (value >>> 0).toString(8),
    'String toString(int)': (value: number) => String(value),
    'String toString(int,int)': radixText,
    'long toUnsignedLong(int)': (value: number) => BigInt(value >>> 0),
    'String toUnsignedString(int)': (value: number) => String(value >>> 0),
    'String toUnsignedString(int,int)': (value: number, radix: number) => radixText(value >>> 0, radix),
    'Integer valueOf(int)': (value: number) => value,
    'Integer valueOf(String,int)': (text: string | null, radix: number) => Number(parseWhole(text, 32, radix)),
  },
}

const LONG: ClassDefinition = {
  name: 'Long',
  javaName: 'java.lang.Long',
  parents: ['Number', 'Comparable'],
  constants: {
    'int BYTES': 8,
    'long MAX_VALUE': 9223372036854775807n,
    'long MIN_VALUE': -9223372036854775808n,
    'int SIZE': 64,
  },
  statics: {
    'int bitCount(long)': bitCount,
    'int compare(long,long)': compareAny,
    'int compareUnsigned(long,long)': (left: bigint, right: bigint) => compareAny(unsigned64(left), unsigned64(right)),
    'Long decode(String)': (text: string) => decodeWhole(text, 64),
    'long divideUnsigned(long,long)': (left: bigint, right: bigint) => int64(unsigned64(left) / divisor(right)),
    'long remainderUnsigned(long,long)': (left: bigint, right: bigint) => int64(unsigned64(left) % divisor(right)),
    'int hashCode(long)': longHash,
    'long highestOneBit(long)': (value: bigint) =>
      value === 0n ? 0n : int64(1n << BigInt(unsigned64(value).toString(2).length - 1)),
    'long lowestOneBit(long)': (value: bigint) => int64(value & -value),
    'long max(long,long)': (left: bigint, right: bigint) => (left > right ? left : right),
    'long min(long,long)': (left: bigint, right: bigint) => (left < right ? left : right),
    'int numberOfLeadingZeros(long)': (value: bigint) =>
      value === 0n ? 64 : 64 - unsigned64(value).toString(2).length,
    'int numberOfTrailingZeros(long)': (value: bigint) => trailingZeros(unsigned64(value), 64),
    'long parseLong(String)': (text: string | null) => parseWhole(text, 64),
    'long parseLong(String,int)': (text: string | null, radix: number) => parseWhole(text, 64, radix),
    'long parseUnsignedLong(String)': (text: string | null) => parseUnsigned(text, 64),
    'long parseUnsignedLong(String,int)': (text: string | null, radix: number) => parseUnsigned(text, 64, radix),
    'long reverse(long)': (value: bigint) => reversed(value, 64, 1),
    'long reverseBytes(long)': (value: bigint) => reversed(value, 64, 8),
    'long rotateLeft(long,int)': (value: bigint, by: number) => rotated(value, by, 64),
    'long rotateRight(long,int)': (value: bigint, by: number) => rotated(value, -by, 64),
    'int signum(long)': (value: bigint) => compareAny(value, 0n),
    'long sum(long,long)': (left: bigint, right: bigint) => int64(left + right),
    'String toBinaryString(long)': (value: bigint) => unsigned64(value).toString(2),
    'String toHexString(long)': (value: bigint) => unsigned64(value).toString(16),
    'String toOctalString(long)': (value: bigint) => unsigned64(value).toString(8),
    'String toString(long)': (value: bigint) => String(value),
    'String toString(long,int)': radixText,
    'String toUnsignedString(long)': (value: bigint) => String(unsigned64(value)),
    'String toUnsignedString(long,int)': (value: bigint, radix: number) => radixText(unsigned64(value), radix),
    'Long valueOf(long)': (value: bigint) => value,
    'Long valueOf(String,int)': (text: string | null, radix: number) => parseWhole(text, 64, radix),
  },
}

const DOUBLE: ClassDefinition = {
  name: 'Double',
  javaName: 'java.lang.Double',
  parents: ['Number', 'Comparable'],
  constants: {
    'int BYTES': 8,
    'int SIZE': 64,
    'int MAX_EXPONENT': 1023,
    'int MIN_EXPONENT': -1022,
    'double MAX_VALUE': Number.MAX_VALUE,
    'double MIN_NORMAL': 2 ** -1022,
    'double MIN_VALUE': Number.MIN_VALUE,
    'double NaN': Number.NaN,
    'double NEGATIVE_INFINITY': Number.NEGATIVE_INFINITY,
    'double POSITIVE_INFINITY': Number.POSITIVE_INFINITY,
  },
  methods: {
    'boolean isInfinite()': (self: Box) => Math.abs(self.value) === Number.POSITIVE_INFINITY,
    'boolean isNaN()': (self: Box) => Number.isNaN(self.value),
  },
  statics: {
    'int compare(double,double)': compareDoubles,
    'long doubleToLongBits(double)': (value: number) => {
      bits.setFloat64(0, value)
      return bits.getBigInt64(0)
    },
    'long doubleToRawLongBits(double)': (value: number) => {
      bits.setFloat64(0, value)
      return bits.getBigInt64(0)
    },
    'int hashCode(double)': (value: number) => hashOf(doubleBox(value)),
    'boolean isFinite(double)': (value: number) => Number.isFinite(value),
    'boolean isInfinite(double)': (value: number) => Math.abs(value) === Number.POSITIVE_INFINITY,
    'boolean isNaN(double)': (value: number) => Number.isNaN(value),
    'double longBitsToDouble(long)': (value: bigint) => {
      bits.setBigInt64(0, value)
      return bits.getFloat64(0)
    },
    'double max(double,double)': (left: number, right: number) => Math.max(left, right),
    'double min(double,double)': (left: number, right: number) => Math.min(left, right),
    'double parseDouble(String)': parseDecimal,
    'double sum(double,double)': (left: number, right: number) => left + right,
    'String toString(double)': javaDouble,
    'Double valueOf(double)': (value: number) => doubleBox(value),
  },
}

const FLOAT: ClassDefinition = {
  name: 'Float',
  javaName: 'java.lang.Float',
  parents: ['Number', 'Comparable'],
  constants: {
    'int BYTES': 4,
    'int SIZE': 32,
    'int MAX_EXPONENT': 127,
    'int MIN_EXPONENT': -126,
    'float MIN_NORMAL': 2 ** -126,
    'float MAX_VALUE': 3.4028234663852886e38,
    'float MIN_VALUE': 1.401298464324817e-45,
    'float NaN': Number.NaN,
    'float NEGATIVE_INFINITY': Number.NEGATIVE_INFINITY,
    'float POSITIVE_INFINITY': Number.POSITIVE_INFINITY,
  },
  methods: {
    'boolean isInfinite()': (self: Box) => Math.abs(self.value) === Number.POSITIVE_INFINITY,
    'boolean isNaN()': (self: Box) => Number.isNaN(self.value),
  },
  statics: {
    'int compare(float,float)': compareDoubles,
    'int floatToIntBits(float)': floatBits,
    'int floatToRawIntBits(float)': floatBits,
    'int hashCode(float)': floatBits,
    'float intBitsToFloat(int)': (value: number) => {
      bits.setInt32(0, value)
      return bits.getFloat32(0)
    },
    'boolean isFinite(float)': (value: number) => Number.isFinite(value),
    'boolean isInfinite(float)': (value: number) => Math.abs(value) === Number.POSITIVE_INFINITY,
    'boolean isNaN(float)': (value: number) => Number.isNaN(value),
    'float max(float,float)': (left: number, right: number) => Math.max(left, right),
    'float min(float,float)': (left: number, right: number) => Math.min(left, right),
    'float parseFloat(String)': (text: string | null) => Math.fround(parseDecimal(text)),
    'float sum(float,float)': (left: number, right: number) => Math.fround(left + right),
    'String toString(float)': javaFloat,
    'Float valueOf(float)': (value: number) => new Box('float', value),
  },
}

function small(name: 'Byte' | 'Short', size: 8 | 16): ClassDefinition {
  const type = name === 'Byte' ? 'byte' : 'short'
  const parse = (text: string | null, radix = 10): number => Number(parseWhole(text, size, radix))
  const limit = 2 ** (size - 1)
  return {
    name,
    javaName: `java.lang.${name}`,
    parents: ['Number', 'Comparable'],
    constants: {
      'int BYTES': size / 8,
      [`${type} MAX_VALUE`]: limit - 1,
      [`${type} MIN_VALUE`]: -limit,
      'int SIZE': size,
    },
    statics: {
      [`${name} decode(String)`]: (text: string) => {
        const value = Number(decodeWhole(text, 32))
        if (value < -limit || value >= limit)
          throw fault('NumberFormatException', `Value ${value} out of range from input ${text}`)
        return new Box(type, value)
      },
      [`${name} valueOf(${type})`]: (value: number) => new Box(type, value),
      [`${name} valueOf(String,int)`]: (text: string | null, radix: number) => new Box(type, parse(text, radix)),
      ...(name === 'Byte'
        ? {}
        : { 'short reverseBytes(short)': (value: number) => Number(reversed(BigInt(value), 16, 8)) }),
      [`int compare(${type},${type})`]: (left: number, right: number) => left - right,
      [`int hashCode(${type})`]: (value: number) => value,
      [`${type} parse${name}(String)`]: (text: string | null) => parse(text),
      [`${type} parse${name}(String,int)`]: (text: string | null, radix: number) => parse(text, radix),
      [`String toString(${type})`]: (value: number) => String(value),
      [`int toUnsignedInt(${type})`]: (value: number) => value & (2 ** size - 1),
      [`long toUnsignedLong(${type})`]: (value: number) => BigInt(value & (2 ** size - 1)),
    },
  }
}

const BOOLEAN: ClassDefinition = {
  name: 'Boolean',
  javaName: 'java.lang.Boolean',
  parents: ['Comparable'],
  constants: { 'Boolean TRUE': true, 'Boolean FALSE': false },
  methods: { 'boolean booleanValue()': (self: boolean) => self },
  statics: {
    'int compare(boolean,boolean)': (left: boolean, right: boolean) => Number(left) - Number(right),
    'int hashCode(boolean)': (value: boolean) => hashOf(value),
    'boolean logicalAnd(boolean,boolean)': (left: boolean, right: boolean) => left && right,
    'boolean logicalOr(boolean,boolean)': (left: boolean, right: boolean) => left || right,
    'boolean logicalXor(boolean,boolean)': (left: boolean, right: boolean) => left !== right,
    'boolean parseBoolean(String)': (text: string | null) => text?.toLowerCase() === 'true',
    'String toString(boolean)': (value: boolean) => String(value),
    'Boolean valueOf(boolean)': (value: boolean) => value,
  },
}

/** `java.lang`'s numbers and Boolean. */
export const NUMBER_CLASSES: readonly ClassDefinition[] = [
  NUMBER,
  INTEGER,
  LONG,
  DOUBLE,
  FLOAT,
  small('Byte', 8),
  small('Short', 16),
  BOOLEAN,
]
