import { expect, it } from 'vitest'
import { checkShardLimit } from './shard-limit.ts'

const scope = (perNode: string) =>
  ({
    indices: new Map(),
    persistentSettings: { 'cluster.max_shards_per_node': perNode, 'cluster.ignore_dot_indexes': 'true' },
    transientSettings: {},
    version: 'OpenSearch_2.19',
  }) as const

it('refuses more shards than can be listed, whatever the settings allow', () => {
  expect(() => checkShardLimit(100_000, scope('2000000000'))).not.toThrow()
  expect(() => checkShardLimit(100_001, scope('2000000000'))).toThrow('[0]/[100000] maximum shards open')
})

it('lets hidden indices be beyond the setting where they are ignored, and not beyond what can be listed', () => {
  expect(() => checkShardLimit(2_000, scope('1000'), 'logs')).toThrow('[0]/[1000] maximum shards open')
  expect(() => checkShardLimit(2_000, scope('1000'), '.logs')).not.toThrow()
  expect(() => checkShardLimit(100_001, scope('1000'), '.logs')).toThrow('[0]/[100000] maximum shards open')
})
