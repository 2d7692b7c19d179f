import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { listInTurns } from './list-in-turns.ts'

const asItIs = new RequestParameters(new Map())

describe('a list written in turns', () => {
  it('is the text of the same list written at one go', async () => {
    const element = fc.oneof(
      fc.jsonValue().map((value) => value as Json),
      fc.string({ maxLength: 50_000 }).map((text) => new RawJson('{"s":', Buffer.from(JSON.stringify(text)), '}')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 20 }), async (elements) => {
        expect(writeJson(await listInTurns(elements, asItIs, (one) => one))).toBe(writeJson(elements))
      }),
    )
  })

  it('is a list of objects for what takes it apart again', async () => {
    const filtered = new RequestParameters(new Map([['filter_path', 'a']]))
    expect(await listInTurns([1, 2], filtered, (a) => ({ a }))).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('lets others be served in between', async () => {
    let served = 0
    const others = setInterval(() => served++, 1)
    const busy = (): Json => {
      for (const until = performance.now() + 4; performance.now() < until; );
      return 1
    }
    await listInTurns(Array.from({ length: 40 }), asItIs, busy)
    clearInterval(others)
    expect(served).toBeGreaterThan(3)
  })
})
