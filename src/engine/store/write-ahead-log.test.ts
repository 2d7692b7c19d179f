import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Change, type LoggedGroup, WriteAheadLog } from './write-ahead-log.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-wal-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ID = Buffer.from('0123456789abcdef', 'hex')
let folders = 0
const folder = () => mkdtempSync(join(root, `${folders++}-`))

const put = (key: string, value: string | undefined, table = 0): Change => ({
  table,
  key: Buffer.from(key),
  value: value === undefined ? undefined : Buffer.from(value),
})

async function logged(dir: string, groups: readonly LoggedGroup[], applied = 0): Promise<void> {
  const log = new WriteAheadLog(dir, ID, applied)
  log.unapplied()
  for (const group of groups) await log.append(group)
  log.close()
}

function read(dir: string, applied = 0, id = ID): LoggedGroup[] {
  const log = new WriteAheadLog(dir, id, applied)
  try {
    return log.unapplied()
  } finally {
    log.close()
  }
}

const small = (number: number): LoggedGroup => ({ number, changes: [put(`k${number}`, `v${number}`)] })
const big = (number: number): LoggedGroup => ({ number, changes: [put(`k${number}`, 'x'.repeat(3 * 2 ** 20))] })

describe('a write-ahead log', () => {
  it('gives back what was logged and not applied, puts and removals of every table, also empty ones', async () => {
    const dir = folder()
    const groups = [
      { number: 1, changes: [put('a', '1'), put('키', '값', 1), put('gone', undefined, 2)] },
      { number: 2, changes: [put('empty', ''), put('', 'no key')] },
      { number: 3, changes: [] },
    ]
    await logged(dir, groups)
    expect(read(dir)).toEqual(groups)
    expect(read(dir, 2)).toEqual(groups.slice(2))
    expect(read(dir, 3)).toEqual([])
  })

  it('is nothing to another store', async () => {
    const dir = folder()
    await logged(dir, [small(1)])
    expect(read(dir, 0, Buffer.alloc(8))).toEqual([])
  })

  it('ends at a write that was cut short, wherever that was', async () => {
    const dir = folder()
    await logged(dir, [small(1), small(2)])
    const record = 24 + 7 + 4
    for (let length = 0; length <= 2 * record; length++) {
      const copy = folder()
      cpSync(dir, copy, { recursive: true })
      truncateSync(join(copy, 'wal.0'), length)
      expect(read(copy), `${length} bytes`).toEqual([small(1), small(2)].slice(0, Math.floor(length / record)))
    }
  })

  it('leaves out what a changed byte is in, and no other', async () => {
    const dir = folder()
    await logged(dir, [small(1), small(2), small(3)])
    const record = 24 + 7 + 4
    for (let at = 0; at < 3 * record; at++) {
      const copy = folder()
      cpSync(dir, copy, { recursive: true })
      const bytes = readFileSync(join(copy, 'wal.0'))
      bytes[at] = (bytes[at] as number) ^ 0x10
      writeFileSync(join(copy, 'wal.0'), bytes)
      const damaged = 1 + Math.floor(at / record)
      expect(read(copy), `byte ${at}`).toEqual([1, 2, 3].filter((number) => number !== damaged).map(small))
    }
  })

  it('knows of what is behind a damaged place, so that nothing old is taken for new', async () => {
    const dir = folder()
    await logged(dir, [small(1), small(2), small(3)])
    const path = join(dir, 'wal.0')
    const bytes = readFileSync(path)
    bytes[0] = (bytes[0] as number) ^ 1
    writeFileSync(path, bytes)
    const log = new WriteAheadLog(dir, ID, 0)
    log.unapplied()
    expect(log.lastNumber).toBe(3)
    log.applied(3)
    await log.append(small(4))
    log.close()
    expect(read(dir, 3)).toEqual([small(4)])
  })

  it('goes on behind what an earlier process logged', async () => {
    const dir = folder()
    await logged(dir, [small(1)])
    const log = new WriteAheadLog(dir, ID, 0)
    expect(log.unapplied()).toEqual([small(1)])
    expect(log.lastNumber).toBe(1)
    log.applied(1)
    await log.append(small(2))
    log.close()
    expect(read(dir, 1)).toEqual([small(2)])
  })

  it('uses its two files in turns, and never writes over what is not applied', async () => {
    const dir = folder()
    const log = new WriteAheadLog(dir, ID, 0)
    log.unapplied()
    for (let number = 1; number <= 40; number++) {
      await log.append(big(number))
      if (number > 4) log.applied(number - 4)
      if (number % 5 === 0) {
        const left = read(dir, Math.max(0, number - 4))
        expect(left.map((group) => group.number)).toEqual([number - 3, number - 2, number - 1, number])
        expect(left.every(({ changes }) => changes[0]?.value?.length === 3 * 2 ** 20)).toBe(true)
      }
    }
    log.close()
    for (const name of ['wal.0', 'wal.1']) expect(statSync(join(dir, name)).size).toBeLessThan(20 * 2 ** 20)
  })

  it('grows while nothing is applied, and is small again later', async () => {
    const dir = folder()
    const log = new WriteAheadLog(dir, ID, 0)
    log.unapplied()
    for (let number = 1; number <= 12; number++) await log.append(big(number))
    expect(read(dir).length).toBe(12)
    log.applied(12)
    for (let number = 13; number <= 24; number++) {
      await log.append(big(number))
      log.applied(number)
    }
    log.close()
    for (const name of ['wal.0', 'wal.1']) expect(statSync(join(dir, name)).size).toBeLessThan(20 * 2 ** 20)
  })

  it('writes nothing once it is closed', async () => {
    const log = new WriteAheadLog(folder(), ID, 0)
    log.unapplied()
    log.close()
    log.close()
    await expect(log.append(small(1))).rejects.toThrow('the log is closed')
  })
})
