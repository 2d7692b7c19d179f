import { HEAP_FOR_ONE } from '../../engine/heap-share.ts'
import { bytesText } from '../cat/cat-value.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { heapMetrics } from './node-metrics.ts'

/** `breakers` of `_nodes/stats`: the limits are this domain's. Bytes of one search's aggregations and of values by document are not added up. */
export function breakersJson(context: RestContext): Json {
  const heap = heapMetrics()
  const isOpenSearch = context.engine.version === 'OpenSearch_2.19'
  const { heldBytes, mostHeldBytes, refused } = context.wire()
  const limits: Readonly<Record<string, number>> = {
    request: HEAP_FOR_ONE,
    fielddata: Math.floor(heap.max * 0.4),
    in_flight_requests: mostHeldBytes,
    ...(isOpenSearch ? {} : { accounting: heap.max }),
    parent: heap.max,
  }
  const used: Readonly<Record<string, number>> = { in_flight_requests: heldBytes, parent: heap.used }
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => {
      const estimate = used[name] ?? 0
      return [
        name,
        {
          limit_size_in_bytes: limit,
          limit_size: bytesText(limit),
          estimated_size_in_bytes: estimate,
          estimated_size: bytesText(estimate),
          overhead: new JavaDouble(1),
          tripped: context.trips.of(name) + (name === 'in_flight_requests' ? refused : 0),
        },
      ]
    }),
  )
}
