import { arcMeters } from '../earth-distance.ts'

/** Functions of numbers by name, each with as many arguments as its `length` says. */
export type ExpressionFunctions = Readonly<Record<string, (...args: never[]) => number>>

/** What is computed from the size of a number, with its sign. */
const withSign = (value: number, ofSize: (size: number) => number): number =>
  value < 0 || Object.is(value, -0) ? -ofSize(Math.abs(value)) : ofSize(value)

/** @source Lucene's JavascriptCompiler.properties; the inverse hyperbolic ones and logn are those of its MathUtil */
export const FUNCTIONS: ExpressionFunctions = {
  abs: (x: number) => Math.abs(x),
  acos: (x: number) => Math.acos(x),
  acosh: (x: number) => Math.log(Math.sqrt(x * x - 1) + x),
  asin: (x: number) => Math.asin(x),
  asinh: (x: number) => withSign(x, (size) => Math.log(Math.sqrt(size * size + 1) + size)),
  atan: (x: number) => Math.atan(x),
  atan2: (y: number, x: number) => Math.atan2(y, x),
  atanh: (x: number) => withSign(x, (size) => 0.5 * Math.log((1 + size) / (1 - size))),
  ceil: (x: number) => Math.ceil(x),
  cos: (x: number) => Math.cos(x),
  cosh: (x: number) => Math.cosh(x),
  exp: (x: number) => Math.exp(x),
  floor: (x: number) => Math.floor(x),
  haversin: (lat1: number, lon1: number, lat2: number, lon2: number) => arcMeters(lat1, lon1, lat2, lon2) / 1000,
  ln: (x: number) => Math.log(x),
  log10: (x: number) => Math.log10(x),
  logn: (base: number, x: number) => Math.log(x) / Math.log(base),
  max: (x: number, y: number) => Math.max(x, y),
  min: (x: number, y: number) => Math.min(x, y),
  pow: (x: number, y: number) => x ** y,
  sin: (x: number) => Math.sin(x),
  sinh: (x: number) => Math.sinh(x),
  sqrt: (x: number) => Math.sqrt(x),
  tan: (x: number) => Math.tan(x),
  tanh: (x: number) => Math.tanh(x),
}

/** Those of OpenSearch 2.19's Lucene. */
export const FUNCTIONS_OPENSEARCH: ExpressionFunctions = { ...FUNCTIONS, haversinMeters: arcMeters }
