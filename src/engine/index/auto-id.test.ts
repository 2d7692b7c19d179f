import { describe, expect, it } from 'vitest'
import { autoId } from './auto-id.ts'

describe('a made id', () => {
  it('is 20 URL-safe characters and never the same twice', () => {
    const ids = new Set<string>()
    for (let i = 0; i < 70_000; i++) ids.add(autoId(1_700_000_000_000))
    expect(ids.size).toBe(70_000)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20}$/)
  })
})
