import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type BulkDefaults, bulkOperations } from './bulk-lines.ts'

async function* lines(...text: string[]): AsyncGenerator<string> {
  yield* text
}
const all = <T>(values: AsyncIterable<T>): Promise<T[]> => Readable.from(values).toArray()
const read = (text: string[], defaults: BulkDefaults = {}) => all(bulkOperations(lines(...text), defaults))

describe('bulkOperations', () => {
  it('reads items, keeping their documents character for character', async () => {
    expect(
      await read([
        '{"_index":"i","_type":"t","_id":7,"_source":{"n":9007199254740993}}',
        '',
        '{"_index":"i","_source":{"f":1.0}}',
      ]),
    ).toEqual([
      { operation: { index: { _index: 'i', _type: 't', _id: '7' }, source: '{"n":9007199254740993}' }, line: 1 },
      { operation: { index: { _index: 'i' }, source: '{"f":1.0}' }, line: 3 },
    ])
  })

  it('reads the documents of a file that was transferred, without what their index is made of', async () => {
    const file = ['{"chaja_index":{"settings":{}}}', '{"_index":"i","_id":"1","_source":{"a":1}}']
    expect(await read(file, { index: 'j' })).toEqual([
      { operation: { index: { _index: 'i', _id: '1' }, source: '{"a":1}' }, line: 2 },
    ])
  })

  it('reads documents themselves where the index is given', async () => {
    expect(await read(['{"a":1}'], { index: 'i', type: 't' })).toEqual([
      { operation: { index: { _index: 'i', _type: 't' }, source: '{"a":1}' }, line: 1 },
    ])
    // A document that looks like an action in part only.
    expect(await read(['{"index":{"name":"S&P"}}', '{"index":1}'], { index: 'i' })).toHaveLength(2)
  })

  it('reads the lines of a bulk request', async () => {
    const file = [
      '{"index":{"_index":"a","_id":"1"}}',
      '{"n":9007199254740993}',
      '',
      '{"delete":{"_id":"2"}}',
      '{"create":{}}',
      '{"x":1}',
      '{"update":{"_id":"3","retry_on_conflict":2}}',
      '{"doc":{"x":1.0}}',
    ]
    expect(await read(file, { index: 'b', type: 't' })).toEqual([
      { operation: { index: { _index: 'a', _type: 't', _id: '1' }, source: '{"n":9007199254740993}' }, line: 1 },
      { operation: { delete: { _index: 'b', _type: 't', _id: '2' } }, line: 4 },
      { operation: { create: { _index: 'b', _type: 't' }, source: '{"x":1}' }, line: 5 },
      {
        operation: { update: { _index: 'b', _type: 't', _id: '3', retry_on_conflict: 2 }, body: '{"doc":{"x":1.0}}' },
        line: 7,
      },
    ])
  })

  it('keeps every digit of ids, routings and versions that are numbers, and the routing of hits', async () => {
    const big = '9007199254740993'
    const target = { _index: 'i', _id: big }
    expect(await read([`{"_index":"i","_id":${big},"_routing":"r","_source":{}}`])).toEqual([
      { operation: { index: { ...target, routing: 'r' }, source: '{}' }, line: 1 },
    ])
    expect(await read([`{"index":{"_index":"i","_id":${big},"routing":${big},"version":${big}}}`, '{}'])).toEqual([
      { operation: { index: { ...target, routing: big, version: big }, source: '{}' }, line: 1 },
    ])
  })

  it('names the line that is wrong', async () => {
    await expect(read(['{"_index":"i","_id":{"a":1},"_source":{}}'])).rejects.toThrow(
      'line 1 has a _id that is neither',
    )
    await expect(read(['{"index":{"_index":"i","_id":["a"]}}', '{}'])).rejects.toThrow(
      'line 1 has a _id that is neither',
    )
    await expect(read(['{"_index":"i","_source":{}}', '{bad'])).rejects.toThrow('line 2 is not JSON')
    await expect(read(['{"a":1}', '[{"a":1},{"a":2}]'], { index: 'i' })).rejects.toThrow(
      'line 2 is no JSON object: expected one document a line',
    )
    await expect(read(['{"a":1}'])).rejects.toThrow('line 1 names no _index: name it with --index')
    await expect(read(['{"index":{"_index":"i"}}'])).rejects.toThrow('line 1 has no document behind it')
    await expect(read(['{"index":{"_index":"i"}}', '{}', '{"indx":{}}'])).rejects.toThrow('line 3 is no action')
  })
})
