import { isUtf8 } from 'node:buffer'
import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ClientError } from '../client/client-error.ts'
import { fileProblem } from '../file-problem.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * Lines of a file, inflated when it is compressed.
 *
 * @param file  a path, or a stream that is open already (stdin)
 * @throws {ClientError} as {@link fileLineBytes}; kind `configuration`, too, for a line that is not UTF-8
 */
export async function* fileLines(file: string | Readable, gzip: boolean): AsyncGenerator<string, void, undefined> {
  let number = 0
  for await (const lines of fileLineBytes(file, gzip))
    for (const line of lines) {
      number++
      if (!isUtf8(line)) {
        const isGzip = number === 1 && line.subarray(0, GZIP.length).equals(GZIP)
        const way = !isGzip
          ? ''
          : `: it is compressed by gzip (${typeof file === 'string' ? 'call it .gz' : 'gunzip it'})`
        throw new ClientError('configuration', `line ${number} of ${nameOf(file)} is not UTF-8${way}`)
      }
      yield line.toString()
    }
}

/** How what gzip writes begins. */
const GZIP = Buffer.from([0x1f, 0x8b])

const nameOf = (file: string | Readable): string => (typeof file === 'string' ? file : 'stdin')

/**
 * Lines of a file as bytes, without their line breaks (`\n` or `\r\n`), as many at a time as were read together, and
 * without the byte order mark that some editors put first.
 *
 * @throws {ClientError} naming the file: kind `configuration` when it cannot be opened, `response` when it is damaged
 */
export async function* fileLineBytes(
  file: string | Readable,
  gzip: boolean,
): AsyncGenerator<readonly Buffer[], void, undefined> {
  // Pieces of a line whose end has not come yet.
  let begun: Buffer[] = []
  let first = true
  for await (const chunk of chunks(file, gzip)) {
    const lines: Buffer[] = []
    let at = first && chunk.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0
    first = false
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

/**
 * Makes sure that a file still has what an earlier run has written to it.
 *
 * @throws {ClientError} kind `configuration`
 */
export function expectLength(path: string, bytes: number): void {
  const there = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (there < bytes)
    throw new ClientError(
      'configuration',
      `${path} is not as the last run has left it (${there} of ${bytes} bytes): remove it and the checkpoint to begin anew`,
    )
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

const MARK = Buffer.from('\ufeff')

async function* chunks(file: string | Readable, gzip: boolean): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* open(file, gzip) as AsyncIterable<Buffer>
  } catch (cause) {
    const damaged = /^Z_/.test((cause as NodeJS.ErrnoException).code ?? '')
    const kind = damaged ? 'response' : 'configuration'
    throw new ClientError(kind, `cannot read ${nameOf(file)}: ${fileProblem(cause)}`, { cause })
  }
}

function open(file: string | Readable, gzip: boolean): Readable {
  const raw: Readable = typeof file === 'string' ? createReadStream(file, { highWaterMark: CHUNK_BYTES }) : file
  if (!gzip) return raw
  const stream = raw.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  raw.once('error', (error) => stream.destroy(error))
  return stream
}
