import { describe, expect, it } from 'vitest'
import { readBase64 } from './base64-text.ts'

describe('Base64', () => {
  it('is read however long it is', () => {
    const bytes = Buffer.alloc(30_000_001, 7)
    expect(readBase64(bytes.toString('base64')).equals(bytes)).toBe(true)
  })

  it.each([
    ['', 0],
    ['AA==', 1],
    ['AAA=', 2],
    ['AAAA', 3],
    ['AAAA AAAA', 6],
    ['AA==AAAA', 4],
  ])('passes: [%s]', (text, length) => {
    expect(readBase64(text)).toHaveLength(length)
  })

  it.each(['A', 'AAA', 'A===', '=AAA', 'AA=A', 'A-AA', 'AAAA=', '한'])('is refused: [%s]', (text) => {
    expect(() => readBase64(text)).toThrow()
  })
})
