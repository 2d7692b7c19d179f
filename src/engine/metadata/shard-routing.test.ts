import { describe, expect, it } from 'vitest'
import type { IndexMetadata } from './index-metadata.ts'
import { shardOf } from './shard-routing.ts'

describe('the shard a routing leads to', () => {
  it('is the one Elasticsearch 6.8.23 names for an index of five', () => {
    const metadata = { settings: { 'index.number_of_shards': '5' } } as unknown as IndexMetadata
    const shards = ['4', '5', 'abc', '가나', 'x', 'y', 'z'].map((r) => shardOf(metadata, 'Elasticsearch_6.8', r))
    expect(shards).toEqual([2, 1, 4, 4, 1, 4, 0])
  })

  it('is the one OpenSearch 2.19.3 names, which counts in finer steps', () => {
    const metadata = { settings: { 'index.number_of_shards': '5' } } as unknown as IndexMetadata
    const shards = ['4', '5', 'abc', 'x', 'y', 'z'].map((r) => shardOf(metadata, 'OpenSearch_2.19', r))
    expect(shards).toEqual([1, 0, 4, 0, 0, 3])
  })
})
