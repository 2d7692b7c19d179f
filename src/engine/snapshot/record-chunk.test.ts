import { expect, it } from 'vitest'
import { ChunkWriter, chunkRecords } from './record-chunk.ts'

it('names the format of a chunk that is too new, and those that can be read', () => {
  const writer = new ChunkWriter(7)
  writer.add(3, Buffer.from('record'))
  const bytes = writer.finish()
  expect([...chunkRecords(bytes, 7)]).toEqual([[3, Buffer.from('record')]])
  expect(() => chunkRecords(bytes, 6).next()).toThrow(
    'has format 1.7, written by a newer chaja; this one reads up to 1.6',
  )
})
