import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { fileLines } from './file-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'chaja-lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

const all = <T>(values: AsyncIterable<T>): Promise<T[]> => Readable.from(values).toArray()
async function linesOf(content: Buffer | string, gzip = false): Promise<string[]> {
  const path = join(folder, 'f')
  writeFileSync(path, content)
  return all(fileLines(path, gzip))
}

describe('fileLines', () => {
  it('reads lines by any break, with or without one at the end, without a byte order mark', async () => {
    expect(await linesOf('\ufeff{"a":1}\r\n\r\n가\n{}')).toEqual(['{"a":1}', '', '가', '{}'])
    expect(await linesOf('')).toEqual([])
    expect(await linesOf('x\n')).toEqual(['x'])
    expect(await all(fileLines(Readable.from([Buffer.from('a\nb'), Buffer.from('c\n')]), false))).toEqual(['a', 'bc'])
  })

  it('reads lines longer than any piece, and several gzip members one after the other', async () => {
    const long = 'x'.repeat(3_000_000)
    expect(await linesOf(Buffer.concat([gzipSync(`${long}\nb`), gzipSync('c\n')]), true)).toEqual([long, 'bc'])
  })

  it('refuses a line that is not UTF-8 rather than reading other characters', async () => {
    await expect(linesOf(Buffer.from([0x61, 0x0a, 0xff, 0x0a]))).rejects.toMatchObject({
      kind: 'configuration',
      message: /^line 2 of .*f is not UTF-8$/,
    })
  })

  it('names the file that cannot be read, and why', async () => {
    await expect(all(fileLines('/nowhere.ndjson', false))).rejects.toMatchObject({
      kind: 'configuration',
      message: 'cannot read /nowhere.ndjson: there is no such file or folder',
    })
    await expect(all(fileLines(folder, false))).rejects.toThrow('it is a folder')
    await expect(linesOf('no gzip', true)).rejects.toThrow(/cannot read .*f: it is not compressed by gzip/)
    const cut = gzipSync('a\nb\n'.repeat(1000)).subarray(0, 20)
    await expect(linesOf(cut, true)).rejects.toMatchObject({ kind: 'response', message: /in the middle/ })
  })
})
