import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-folder-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('makeFolder', () => {
  it('makes what is missing, and leaves what is there', () => {
    makeFolder(join(folder, 'a/b/c'), 0o700)
    makeFolder(join(folder, 'a/b/c'), 0o755)
    for (const part of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, part)).mode & 0o777).toBe(0o700)
  })

  it('says what is in the way', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST')
    expect(() => makeFolder(join(folder, 'file/x'))).toThrow('ENOTDIR')
    expect(existsSync(join(folder, 'file/x'))).toBe(false)
  })

  it.runIf(platform() === 'linux')('ends where nothing can be made', () => {
    expect(() => makeFolder('/proc/chaja')).toThrow('ENOENT')
    expect(() => makeFolder('/proc/chaja/data')).toThrow('ENOENT')
  })
})
