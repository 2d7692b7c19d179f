import { parentPort } from 'node:worker_threads'
import { compressRecord } from './document-record.ts'
import { Lz4Code } from './lz4-code.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'

/** Records one behind the other, to be compressed with a dictionary. */
export interface RecordBatch {
  readonly records: Uint8Array<ArrayBuffer>
  /** Where each of them ends. */
  readonly ends: Uint32Array<ArrayBuffer>
  readonly dictionary: number
  /** What the dictionary is made of, where its number stood for another, or none. */
  readonly learned: { readonly bytes: Uint8Array; readonly codeLengths: Uint8Array | undefined } | undefined
}

/** The same, compressed, in the same order; one that did not become shorter takes no bytes. */
export type CompressedBatch = Pick<RecordBatch, 'records' | 'ends'>

const dictionaries: Lz4Dictionary[] = []

parentPort?.on('message', ({ records, ends, dictionary, learned }: RecordBatch) => {
  if (learned !== undefined) {
    const { bytes, codeLengths } = learned
    dictionaries[dictionary] = new Lz4Dictionary(bytes, codeLengths && new Lz4Code(codeLengths))
  }
  const known = dictionaries[dictionary] as Lz4Dictionary
  const compressed: CompressedBatch = { records: new Uint8Array(records.length), ends: new Uint32Array(ends.length) }
  let from = 0
  let to = 0
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i] as number
    const record = compressRecord(Buffer.from(records.buffer, from, end - from), known)
    if (record !== undefined) {
      compressed.records.set(record, to)
      to += record.length
    }
    compressed.ends[i] = to
    from = end
  }
  parentPort?.postMessage(compressed, [compressed.records.buffer, compressed.ends.buffer])
})
parentPort?.postMessage('ready')
