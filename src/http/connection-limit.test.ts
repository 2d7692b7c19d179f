import { expect, it } from 'vitest'
import { processLimit } from '../process-limit.ts'
import { connectionLimit } from './connection-limit.ts'

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max open files            256                  4096                 files
Max address space         unlimited            unlimited            bytes
`

it('leaves files for what is no connection', () => {
  expect(processLimit('Max open files', LIMITS)).toBe(256)
  expect(connectionLimit(256)).toEqual({ connections: 128, files: 256 })
  expect(connectionLimit(64)).toEqual({ connections: 16, files: 64 })
})

it('knows no limit where there is none', () => {
  expect(processLimit('Max address space', LIMITS)).toBe(Number.POSITIVE_INFINITY)
  expect(processLimit('Max open files', '')).toBe(Number.POSITIVE_INFINITY)
  expect(connectionLimit(Number.POSITIVE_INFINITY)).toBeUndefined()
})
