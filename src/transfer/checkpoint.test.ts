import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Checkpoint } from './checkpoint.ts'

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-checkpoint-'))
  path = join(folder, 'run.checkpoint.json')
})
afterAll(() => rmSync(folder, { recursive: true }))

const ends = { source: 'http://a/x', destination: 'http://b/x', sourceUuid: 'u1' }

describe('a checkpoint', () => {
  it('is read back as it was saved, and is of one transfer of one index', () => {
    const first = new Checkpoint(path, ends)
    first.state.positions[0] = 17
    first.save()
    const second = new Checkpoint(path, ends)
    expect(second.resumed).toBe(true)
    expect(second.state).toEqual(first.state)
    expect(() => new Checkpoint(path, { ...ends, destination: 'http://c/x' })).toThrow('remove it or name another')
    expect(() => new Checkpoint(path, { ...ends, sourceUuid: 'u2' })).toThrow('of another index of the name')
  })

  it('is refused where it is damaged, wherever that is', () => {
    const whole = new Checkpoint(join(folder, 'damaged.json'), ends)
    Object.assign(whole.state, { positions: { 0: 1_250, 3: 7 }, read: 1_257, written: 1_257, digest: 'x'.repeat(32) })
    whole.save()
    const bytes = readFileSync(whole.path)
    for (let bit = 0; bit < (bytes.length - 1) * 8; bit++) {
      const damaged = Buffer.from(bytes)
      damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7))
      writeFileSync(whole.path, damaged)
      expect(() => new Checkpoint(whole.path, ends), String(damaged)).toThrow(/remove it|cannot read/)
    }
    for (let length = 0; length < bytes.length - 1; length += 7) {
      writeFileSync(whole.path, bytes.subarray(0, length))
      expect(() => new Checkpoint(whole.path, ends), `${length} bytes`).toThrow('is not a checkpoint')
    }
    writeFileSync(whole.path, bytes)
    expect(new Checkpoint(whole.path, ends).state).toEqual(whole.state)
  })

  it('is refused where somebody has edited it', () => {
    const state = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    delete state['checksum']
    delete state['format']
    const { partsDone: _, ...without } = state
    for (const edited of [
      without,
      { ...state, positions: null },
      { ...state, positions: { 0: '17' } },
      { ...state, read: -1 },
      { ...state, fileBytes: 1.5 },
      { ...state, loading: { x: 1 } },
      { ...state, digest: 7 },
      [],
      null,
    ]) {
      writeFileSync(path, JSON.stringify(edited))
      expect(() => new Checkpoint(path, ends), JSON.stringify(edited)).toThrow('is not a checkpoint')
    }
    writeFileSync(path, JSON.stringify({ ...state, format: 2 }))
    expect(() => new Checkpoint(path, ends)).toThrow('a newer chaja wrote')
    // As earlier versions wrote it.
    writeFileSync(path, JSON.stringify(state))
    expect(new Checkpoint(path, ends).state.positions).toEqual({ 0: 17 })
    expect(() => new Checkpoint(folder, ends)).toThrow(`cannot read ${folder}: it is a folder`)
  })
})
