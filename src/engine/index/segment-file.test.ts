import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedSegmentError, readSegmentDirectory, SegmentFileWriter, sectionArray } from './segment-file.ts'

function sample(): SharedArrayBuffer {
  const file = new SegmentFileWriter()
  const sections = [Uint8Array.of(1, 2, 3), Float64Array.of(1.5, -0), BigInt64Array.of(-5n), Uint16Array.of(65_535)]
  return file.finish({ sections: sections.map((s) => file.add(s)) })
}

describe('a segment file', () => {
  it('gives its sections back as they were', () => {
    const bytes = sample()
    const { sections } = readSegmentDirectory(bytes) as { sections: Parameters<typeof sectionArray>[1][] }
    expect(sections.map((s) => sectionArray(bytes, s))).toEqual([
      Uint8Array.of(1, 2, 3),
      Float64Array.of(1.5, -0),
      BigInt64Array.of(-5n),
      Uint16Array.of(65_535),
    ])
  })

  it('notices every flipped bit and every lost end', () => {
    const whole = new Uint8Array(sample())
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const bytes = copy(whole)
      const view = new Uint8Array(bytes)
      view[bit >>> 3] = (view[bit >>> 3] as number) ^ (1 << (bit & 7))
      expect(() => readSegmentDirectory(bytes)).toThrow(DamagedSegmentError)
    }
    for (let length = 0; length < whole.length; length++) {
      expect(() => readSegmentDirectory(copy(whole.subarray(0, length)))).toThrow(DamagedSegmentError)
    }
  })

  it('refuses any other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readSegmentDirectory(copy(bytes))).toThrow(DamagedSegmentError)
      }),
    )
  })
})

function copy(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return shared
}
