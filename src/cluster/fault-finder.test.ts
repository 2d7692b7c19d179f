import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FaultFinder, type FoundFault } from './fault-finder.ts'

/** What is passed on, and the faults in it, of an answer that comes in pieces. */
function found(answer: Buffer, cuts: readonly number[]): { readonly passed: string; readonly faults: string[] } {
  const finder = new FaultFinder()
  const faults: string[] = []
  let passed = ''
  const take = (piece: Buffer | FoundFault): void => {
    if (Buffer.isBuffer(piece)) passed += piece.toString('latin1')
    else {
      faults.push(`${piece.member} ${piece.depth} ${piece.json.toString()}`)
      passed += '#'
    }
  }
  let from = 0
  for (const cut of [...cuts, answer.length].sort((a, b) => a - b)) {
    for (const piece of finder.push(answer.subarray(from, cut))) take(piece)
    from = cut
  }
  return { passed: Buffer.from(passed, 'latin1').toString(), faults }
}

const one = (json: unknown) => found(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)), [])

describe('faults in an answer', () => {
  it('are found where answers have them', () => {
    expect(one({ error: { type: 'x' }, status: 400 }).faults).toEqual(['error 1 {"type":"x"}'])
    expect(one({ took: 1, _shards: { failures: [{ a: 1 }] }, hits: {} })).toEqual({
      passed: '{"took":1,"_shards":{"failures":#},"hits":{}}',
      faults: ['failures 2 [{"a":1}]'],
    })
    expect(one({ errors: true, items: [{ index: { error: { a: '"}\\' } } }] }).faults).toEqual([
      'error 4 {"a":"\\"}\\\\"}',
    ])
    expect(one({ docs: [{ doc: { _source: { error: {} } } }, { error: { b: 1 } }] }).faults).toEqual([
      'error 3 {"b":1}',
    ])
    expect(one('{\n  "error" : {\n    "a" : 1\n  }\n}').passed).toBe('{\n  "error" : #\n}')
  })

  it('are not looked for in results', () => {
    const hits = { hits: [{ _source: { error: { a: 1 } } }] }
    for (const answer of [
      { hits, error: { a: 1 } },
      { errors: false, items: [{ index: { error: { a: 1 } } }] },
      { responses: [{ hits, aggregations: { error: { script: 'x' } } }] },
      { error: 'no handler', other: { errors: [{ a: 1 }] } },
    ])
      expect(one(answer)).toEqual({ passed: JSON.stringify(answer), faults: [] })
  })

  it('are the same however the answer is cut', () => {
    const names = fc.constantFrom(
      'error',
      'failures',
      'hits',
      '_source',
      'errors',
      'a"\\',
      '책',
      'aggregations-of-mine',
    )
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.boolean(),
        fc.array(tie('json')),
        fc.dictionary(names, tie('json')),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(names, json), fc.array(fc.nat()), fc.boolean(), (answer, cuts, isPretty) => {
        const bytes = Buffer.from(JSON.stringify(answer, null, isPretty ? 2 : 0))
        const whole = found(bytes, [])
        expect(
          found(
            bytes,
            cuts.map((cut) => cut % (bytes.length + 1)),
          ),
        ).toEqual(whole)
        let put = whole.passed
        for (const fault of whole.faults) put = put.replace('#', () => fault.replace(/^\w+ \d+ /, ''))
        if (!bytes.includes('#')) expect(put).toBe(bytes.toString())
      }),
    )
  })
})
