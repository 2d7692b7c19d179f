import { describe, expect, it } from 'vitest'
import { javaFloat, roundedFloat } from './java-float.ts'

describe('the text of a float', () => {
  // Float.toString of Java 17, as Elasticsearch 6.8.23 wrote them as scores.
  it('ends in an even digit where two texts are as near', () => {
    const ties = [4.72265625, 0.337890625, 1.87890625, 1609.21875, 376.546875, 465.328125]
    const texts = ['4.7226562', '0.33789062', '1.8789062', '1609.2188', '376.54688', '465.32812']
    expect(ties.map(javaFloat)).toEqual(texts)
    expect(ties.map((tie) => roundedFloat(tie))).toEqual(texts)
    expect(javaFloat(-4.72265625)).toBe('-4.7226562')
  })
})
