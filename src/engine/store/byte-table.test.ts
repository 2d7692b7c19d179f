import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteTable } from './byte-table.ts'

it('answers what a map would', () => {
  const key = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 1_900, maxLength: 1_978 }))
  const entries = fc.array(fc.tuple(key, fc.uint8Array({ maxLength: 255 })), { maxLength: 400 })
  fc.assert(
    fc.property(entries, (puts) => {
      const table = new ByteTable()
      const map = new Map<string, Buffer>()
      for (const [bytes, value] of puts) {
        table.set(Buffer.from(bytes), Buffer.from(value))
        map.set(Buffer.from(bytes).toString('latin1'), Buffer.from(value))
      }
      expect(table.size).toBe(map.size)
      const entries = Array.from(table.places(), (place) => table.entry(place))
      expect(new Map(entries.map(([k, v]) => [k.toString('latin1'), v]))).toEqual(map)
      for (const [text, value] of map) expect(table.get(Buffer.from(text, 'latin1'))).toEqual(value)
      expect(table.get(Buffer.alloc(2_000))).toBeUndefined()
    }),
    { numRuns: 60 },
  )
})

it('grows', () => {
  const table = new ByteTable()
  const number = (n: number) => Buffer.from(String(n))
  for (let round = 0; round < 2; round++) for (let n = 0; n < 20_000; n++) table.set(number(n), number(n + round))
  expect(table.size).toBe(20_000)
  for (let n = 0; n < 20_000; n++) if (!table.get(number(n))?.equals(number(n + 1))) throw new Error(String(n))
})
