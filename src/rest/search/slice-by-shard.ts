import { shardCount, shardOf } from '../../engine/metadata/shard-routing.ts'
import type { Query } from '../../engine/search/query.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from './search-body.ts'
import { bool, type SearchView } from './search-view.ts'

type Slice = NonNullable<SearchBody['slice']>

/** A slice as the search carries it out: shards it is limited to, and a slice of their documents. */
export interface ShardSlice {
  readonly filter: Query | undefined
  readonly slice: Slice | undefined
}

/**
 * What a slice comes to in indices of several shards: the real server hands out whole shards first, and cuts a shard up
 * only where there are more slices than shards.
 *
 * Documents are handed out by their own where indices differ in what they would do, or only some shards are searched: all
 * slices of a search have to agree.
 */
export function sliceByShard(view: SearchView, slice: Slice, { dialect }: EndpointRequest): ShardSlice {
  const { id, max } = slice
  const counts = view.indices.map(shardCount)
  const isPart = view.shardCounts.some((count, i) => count !== counts[i])
  const whole = counts.every((count) => count >= max)
  const [first = 1] = counts
  const alike = counts.every((count) => count === first)
  if (isPart || first === 1 || (!whole && !alike)) return { filter: undefined, slice }
  const perIndex = view.indices.map((index, i): Query => {
    const count = counts[i] as number
    const all = Array.from({ length: count }, (_, shard) => shard)
    const shards = count >= max ? all.filter((shard) => shard % max === id) : [id % count]
    return bool({
      filter: [
        { kind: 'term', field: '_index', value: index.name },
        { kind: 'routed', shards, shardOf: (routing) => shardOf(index, dialect.engineVersion, routing) },
      ],
    })
  })
  const filter = bool({ should: perIndex })
  if (whole) return { filter, slice: undefined }
  // Slices that the shard is cut into: those whose number leads to it.
  const own = Math.floor(max / first) + (max % first > id % first ? 1 : 0)
  return { filter, slice: own === 1 ? undefined : { ...slice, id: Math.floor(id / first), max: own } }
}
