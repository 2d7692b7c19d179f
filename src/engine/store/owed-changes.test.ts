import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OwedChanges } from './owed-changes.ts'

const key = fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => Buffer.from(bytes.map((b) => b & 0x83)))
const value = fc.option(
  fc.nat(9).map((n) => Buffer.from(String(n))),
  { nil: undefined },
)

describe('changes that are owed to the tables', () => {
  it('show over a range what the table would hold', () => {
    const entry = fc.tuple(key, value)
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), key, key, (held, changes, start, end) => {
        const table = new Map<string, Buffer>()
        const inRange = () =>
          [...table]
            .map(([k, v]) => ({ key: Buffer.from(k, 'hex'), value: v }))
            .filter(({ key: k }) => Buffer.compare(k, start) >= 0 && Buffer.compare(k, end) < 0)
            .sort((a, b) => Buffer.compare(a.key, b.key))
        for (const [k, v] of held) if (v !== undefined) table.set(k.toString('hex'), v)
        const before = inRange()
        const owed = new OwedChanges()
        owed.add(changes.map(([k, v]) => ({ table: 1, key: k, value: v })))
        owed.add([{ table: 0, key: start, value: Buffer.from('another table') }])
        for (const [k, v] of changes) {
          if (v === undefined) table.delete(k.toString('hex'))
          else table.set(k.toString('hex'), v)
        }
        expect([...owed.over(1, start, end, before)]).toEqual(inRange())
        for (const [k] of changes) expect(owed.get(1, k)?.value).toEqual(table.get(k.toString('hex')))
      }),
    )
  })
})
