import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 256 * 1024

/**
 * Lines of a file, inflated when it is compressed.
 *
 * @param file  a path, or a stream that is open already (stdin)
 */
export async function* fileLines(file: string | Readable, gzip: boolean): AsyncGenerator<string, void, undefined> {
  yield* createInterface({ input: open(file, gzip), crlfDelay: Number.POSITIVE_INFINITY })
}

/** Lines of a file as bytes, without their line breaks (`\n` or `\r\n`), as many at a time as were read together. */
export async function* fileLineBytes(path: string, gzip: boolean): AsyncGenerator<readonly Buffer[], void, undefined> {
  // Pieces of a line whose end has not come yet.
  let begun: Buffer[] = []
  for await (const chunk of open(path, gzip) as AsyncIterable<Buffer>) {
    const lines: Buffer[] = []
    let at = 0
    for (;;) {
      const end = chunk.indexOf(0x0a, at)
      if (end === -1) break
      const piece = chunk.subarray(at, end)
      lines.push(withoutReturn(begun.length === 0 ? piece : Buffer.concat([...begun, piece])))
      begun = []
      at = end + 1
    }
    if (at < chunk.length) begun.push(chunk.subarray(at))
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) yield [withoutReturn(Buffer.concat(begun))]
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

function open(file: string | Readable, gzip: boolean): Readable {
  const raw: Readable = typeof file === 'string' ? createReadStream(file, { highWaterMark: CHUNK_BYTES }) : file
  if (!gzip) return raw
  const stream = raw.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  raw.once('error', (error) => stream.destroy(error))
  return stream
}
