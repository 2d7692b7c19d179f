import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'
import { divided } from './divided.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of an answer
type Answer = any

it('divides a number into whole parts that sum up to it', () => {
  expect(divided(10, [1, 1, 1])).toEqual([3, 4, 3])
  expect(divided(7, [0, 3, 0])).toEqual([0, 7, 0])
  expect(divided(5, [0, 0])).toEqual([3, 2])
  expect(divided(0, [4, 5])).toEqual([0, 0])
})

it("tells each shard's documents, and of all else parts that sum up to the index'", async () => {
  const rest = await openRest('OpenSearch_2.19')
  try {
    await rest.ask('PUT', '/many', { settings: { number_of_shards: 4 } })
    for (let id = 0; id < 50; id++) await rest.ask('PUT', `/many/_doc/${id}`, { id })
    await rest.ask('POST', '/many/_refresh')
    // Known before they are deleted, or not: the numbers add up.
    await rest.ask('DELETE', '/many/_doc/1?refresh=true')
    await rest.ask('GET', '/_cat/shards/many?format=json')
    for (const id of [2, 3, 4]) await rest.ask('DELETE', `/many/_doc/${id}`)
    await rest.ask('POST', '/many/_refresh')
    const told: { indices: { many: { primaries: Answer; shards: Answer } } } = (
      await rest.ask('GET', '/many/_stats?level=shards')
    ).json
    const { primaries, shards } = told.indices.many
    const each = [0, 1, 2, 3].map((shard) => shards[shard][0])
    for (const [shard, stats] of each.entries()) {
      const found: Answer = (await rest.ask('GET', `/many/_search?size=0&preference=_shards:${shard}`)).json
      expect(stats.docs.count).toBe(found.hits.total.value)
    }
    for (const [section, member] of [
      ['docs', 'count'],
      ['docs', 'deleted'],
      ['store', 'size_in_bytes'],
      ['indexing', 'index_total'],
      ['indexing', 'delete_total'],
      ['refresh', 'total'],
      ['translog', 'size_in_bytes'],
    ] as const)
      expect(each.reduce((sum, stats) => sum + stats[section][member], 0)).toBe(primaries[section][member])
    expect(primaries.docs).toEqual({ count: 46, deleted: 4 })
  } finally {
    await rest.close()
  }
})
