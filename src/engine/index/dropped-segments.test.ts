import { expect, it } from 'vitest'
import { segmentsDropped } from './dropped-segments.ts'

it('gives memory back that nobody uses, once there is time for it', async () => {
  const bytes = 48 * 2 ** 20
  const segment = new WeakRef(new SharedArrayBuffer(bytes))
  // A weak reference holds what it refers to until the turn is over.
  await new Promise((resolve) => setTimeout(resolve, 10))
  segmentsDropped(bytes)
  for (const until = Date.now() + 20_000; segment.deref() !== undefined && Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(segment.deref()).toBeUndefined()
})
