import { expect, it } from 'vitest'
import { TokenBuffer } from './token-buffer.ts'

it('refuses a text that becomes more tokens than the heap has room for', () => {
  const out = new TokenBuffer()
  const long = 'x'.repeat(2 ** 28)
  const fill = (): void => {
    for (let i = 0; i < 1_000; i++) out.push(long, 0, 1, 'word')
  }
  expect(fill).toThrow('Data too large')
  out.clear()
  out.push(long, 0, 1, 'word')
  expect(out.length).toBe(1)
})
