import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { readBigJson, writeBigJson } from '../big-json.ts'

/* A sealed file: one line, then the payload.
 *   chaja-<kind> <version> <encoding> <SHA-256 of the payload, hex>\n
 *   payload: JSON (encoding `json`), or that deflated (encoding `deflate`)
 */

/** Version of everything in a repository; raised when an older chaja could not read it. */
const REPOSITORY_FORMAT = 1

/** Most bytes that a payload may be inflated to. */
const MOST_BYTES = 2 ** 29

/** What a sealed file holds. */
export type SealedKind = 'repository' | 'snapshot' | 'index' | 'state'

/** A file of a repository that is not what was written. */
export class DamagedFileError extends Error {
  constructor(file: string, reason: string) {
    super(`the file [${file}] is damaged: ${reason}`)
    this.name = 'DamagedFileError'
  }
}

/** Lays a value out as a sealed file. @param compress  deflated: a quarter of the size */
export function sealJson(kind: SealedKind, value: unknown, compress: boolean): Buffer {
  const json = Buffer.from(writeBigJson(value))
  const payload = compress ? deflateRawSync(json) : json
  const digest = createHash('sha256').update(payload).digest('hex')
  const line = `chaja-${kind} ${REPOSITORY_FORMAT} ${compress ? 'deflate' : 'json'} ${digest}\n`
  return Buffer.concat([Buffer.from(line), payload])
}

/**
 * Reads a sealed file.
 *
 * @param file  its name, for messages
 * @throws {DamagedFileError} when it is cut short or changed
 * @throws {Error} when a newer chaja wrote it
 */
export function openSealedJson(kind: SealedKind, file: string, bytes: Buffer): unknown {
  const end = bytes.subarray(0, 200).indexOf(10)
  const line = end < 0 ? null : /^chaja-(\w+) (\d+) (\w+) ([0-9a-f]{64})$/.exec(bytes.toString('latin1', 0, end))
  if (line === null || line[1] !== kind) throw new DamagedFileError(file, 'its first line cannot be read')
  if (Number(line[2]) > REPOSITORY_FORMAT) {
    throw new Error(
      `the file [${file}] has format ${line[2]}, written by a newer chaja; this one reads up to ${REPOSITORY_FORMAT}`,
    )
  }
  const payload = bytes.subarray(end + 1)
  if (createHash('sha256').update(payload).digest('hex') !== line[4])
    throw new DamagedFileError(file, 'its checksum does not match')
  const json = line[3] === 'deflate' ? inflateRawSync(payload, { maxOutputLength: MOST_BYTES }) : payload
  return readBigJson(json.toString())
}
