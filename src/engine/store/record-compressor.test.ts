import { afterEach, describe, expect, it, vi } from 'vitest'
import { compressRecord, type DocumentRecord, encodeDocumentRecord } from './document-record.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'
import { RecordCompressor } from './record-compressor.ts'
import { type LearnedDictionary, SourceDictionaries } from './source-dictionaries.ts'
import type { Change } from './write-ahead-log.ts'

const text = (n: number) => JSON.stringify({ n, title: `영화 ${n}`, text: `${n} words of number `.repeat(16) })

const record = (n: number): DocumentRecord => ({
  type: '_doc',
  id: String(n),
  routing: n % 5 === 0 ? `r${n}` : undefined,
  version: 1,
  primaryTerm: 1,
  replacedSeqNo: -1,
  tombstone: false,
  source: Buffer.from(text(n)),
})

/** One that an index of such sources has. */
function learn(of: number): Lz4Dictionary {
  const dictionaries = new SourceDictionaries({ get: () => undefined, put: (_, _learned: LearnedDictionary) => {} })
  for (let n = of; ; n++) {
    const dictionary = dictionaries.learn(of, Buffer.from(text(n)))
    if (dictionary !== undefined) return dictionary
  }
}

const compressor = new RecordCompressor()
afterEach(() => compressor.close())

/** Adds so many records, in turn to each dictionary; answers the changes, and what they must come to. */
function add(count: number, dictionaries: readonly Lz4Dictionary[]): { changes: Change[]; expected: Buffer[] } {
  const changes: Change[] = []
  const expected: Buffer[] = []
  for (let n = 0; n < count; n++) {
    const { source } = record(n)
    const plain = encodeDocumentRecord(record(n))
    const dictionary = dictionaries[n % dictionaries.length] as Lz4Dictionary
    const change = { table: 0, key: Buffer.from([n]), value: plain }
    changes.push(change)
    compressor.add(change, dictionary, (source as Buffer).length)
    expected.push(compressRecord(plain, dictionary) ?? plain)
  }
  return { changes, expected }
}

async function withThread(dictionaries: readonly Lz4Dictionary[]): Promise<void> {
  add(500 * dictionaries.length, dictionaries)
  await compressor.done()
  await vi.waitFor(() => expect(compressor.hasThread).toBe(true), 20_000)
}

describe('compressing records', () => {
  it('gives the same with a thread and without, for more indices than the thread keeps at hand', async () => {
    const dictionaries = Array.from({ length: 20 }, (_, i) => learn(i * 1_000))
    const few = add(300, dictionaries.slice(0, 3))
    await compressor.done()
    expect(compressor.hasThread).toBe(false)
    expect(few.changes.map(({ value }) => value)).toEqual(few.expected)
    await withThread(dictionaries.slice(0, 1))
    for (const some of [dictionaries.slice(0, 3), dictionaries, dictionaries.slice(17)]) {
      const { changes, expected } = add(2_000, some)
      await compressor.done()
      expect(changes.map(({ value }) => value)).toEqual(expected)
    }
  })

  it('leaves records as they are whose thread ends', async () => {
    const dictionary = learn(0)
    await withThread([dictionary])
    const { changes, expected } = add(500, [dictionary])
    const done = compressor.done()
    compressor.close()
    await done
    expect(compressor.hasThread).toBe(false)
    expect(changes[0]?.value).toEqual(encodeDocumentRecord(record(0)))
    expect(expected[0]?.length).toBeLessThan(changes[0]?.value?.length ?? 0)
    // What it had not been given yet.
    expect(changes.at(-1)?.value).toEqual(expected.at(-1))
  })

  it('does what no dictionary shortens no harm', async () => {
    const useless = new Lz4Dictionary(Buffer.from('0123456789'))
    const source = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7919) & 0xff))
    const change: Change = { table: 0, key: Buffer.from('k'), value: encodeDocumentRecord({ ...record(0), source }) }
    const before = change.value
    compressor.add(change, useless, source.length)
    await compressor.done()
    expect(change.value).toBe(before)
  })
})
