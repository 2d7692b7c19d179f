import { javaHash } from '../../engine/java/java-hash-order.ts'
import { longHash } from '../../engine/script/values/script-value.ts'
import type { ScoreFunction } from '../../engine/search/queries/query.ts'
import type { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { placed, unplaced } from '../../parse-fault.ts'
import { parsingException } from '../parsing-exception.ts'

/** Reads `random_score`. @throws {ServiceError} parsing_exception */
export function parseRandomScore(body: { readonly [name: string]: unknown }): ScoreFunction {
  let seed: number | undefined
  let field: string | undefined
  for (const [name, given] of Object.entries(body)) {
    const read = (value: unknown): void => {
      if (name === 'seed') seed = randomSeed(value)
      else if (name === 'field' && !isObject(value)) field = String(value)
      else throw parsingException(`random_score query does not support [${name}]`)
    }
    // Of a list the real server reads one member after the other; null counts as not there.
    for (const value of [given].flat(Number.POSITIVE_INFINITY)) {
      if (value === null) continue
      if (Array.isArray(given)) unplaced(() => read(value))
      else placed(body, name, () => read(value))
    }
  }
  return { kind: 'random', ...(seed === undefined ? {} : { seed }), ...(field === undefined ? {} : { field }) }
}

/** A seed of 32 bits: of a text and of a long their hashes count, even of a text that looks like a number. */
export function randomSeed(value: unknown): number {
  if (typeof value === 'string') return javaHash(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    const isLong = typeof value === 'number' ? Number.isInteger(value) : BigInt.asIntN(64, value) === value
    if (!isLong) throw badSeed('an int, long or string', 'VALUE_NUMBER')
    if (value === Number(BigInt.asIntN(32, BigInt(value)))) return Number(value)
    return longHash(BigInt(value))
  }
  throw badSeed('an int/long or string', typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'START_OBJECT')
}

const badSeed = (what: string, token: string): ServiceError =>
  parsingException(`random_score seed must be ${what}, not '${token}'`)
