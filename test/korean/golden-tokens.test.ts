import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareGoldens, goldenConfigs, goldenFile, readGoldens, vectorsDir } from './golden-tokens.ts'

const names = Object.keys(goldenConfigs)
const hasGoldens = existsSync(goldenFile)
if (!hasGoldens) console.warn(`skipping the golden tokens of 3,047 texts: ${goldenFile} is absent`)

describe('seunjeon and nori against their originals', () => {
  const sample = readGoldens(join(vectorsDir, 'sample.jsonl'))

  it.each(names)('%s gives the tokens of the original on the committed sample', (name) => {
    const { compared, different } = compareGoldens(name, sample, goldenConfigs[name]!)
    expect(different).toEqual([])
    expect(compared).toBeGreaterThan(50)
  })
})

describe.skipIf(!hasGoldens)('seunjeon and nori against their originals, at length', () => {
  const texts = hasGoldens ? readGoldens(goldenFile) : []

  // Lucene 8.7 is in the sample only.
  it.each(names.filter((name) => !name.startsWith('nori87')))(
    '%s gives the tokens of the original on every text',
    (name) => {
      const { compared, different } = compareGoldens(name, texts, goldenConfigs[name]!)
      expect(different).toEqual([])
      expect(compared).toBeGreaterThan(3000)
    },
  )
})
