import { describe, expect, it } from 'vitest'
import { parseRandomScore, randomSeed } from './random-score.ts'

describe('a seed of random_score', () => {
  it('is taken as it is where it fits into 32 bits, else hashed as Java hashes longs and texts', () => {
    expect([5, -5, 2_147_483_647, 5_000_000_000, 9_223_372_036_854_775_807n, '5', 'abc'].map(randomSeed)).toEqual([
      5, -5, 2_147_483_647, 705_032_705, -2_147_483_648, 53, 96_354,
    ])
  })

  it('is no fraction and no boolean', () => {
    expect(() => randomSeed(5.7)).toThrow("random_score seed must be an int, long or string, not 'VALUE_NUMBER'")
    expect(() => randomSeed(true)).toThrow("random_score seed must be an int/long or string, not 'VALUE_BOOLEAN'")
  })
})

describe('random_score', () => {
  it('passes over null and reads lists member by member', () => {
    expect(parseRandomScore({ seed: [1, 2], field: null })).toEqual({ kind: 'random', seed: 2 })
    expect(parseRandomScore({ seed: null })).toEqual({ kind: 'random' })
  })

  it('refuses other members', () => {
    expect(() => parseRandomScore({ x: [7] })).toThrow('random_score query does not support [x]')
  })
})
