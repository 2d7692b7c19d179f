import { describe, expect, it } from 'vitest'
import { readBulkLines, writeBulkLines } from './bulk-lines.ts'

describe('a long bulk', () => {
  it('is taken apart and put together in turns with other requests', async () => {
    const body = Buffer.from('{"index":{}}\n{"a":1}\n'.repeat(100_000))
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const items = await readBulkLines(body)
    const ofReading = turns
    const written = await writeBulkLines(items)
    clearInterval(timer)
    expect(written.equals(body)).toBe(true)
    expect(ofReading).toBeGreaterThan(0)
    expect(turns).toBeGreaterThan(ofReading)
  })
})
