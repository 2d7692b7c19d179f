import { setTimeout } from 'node:timers/promises'
import { durationText } from '../../engine/duration-text.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { autoId } from '../../engine/index/auto-id.ts'
import type { DocumentOperation } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import {
  type ActiveShardCount,
  copiesNeeded,
  indexActiveShardCount,
  parseActiveShardCount,
} from './active-shard-count.ts'
import { shardRequestText } from './shard-request-text.ts'

/** How often it is looked whether an index wants fewer copies by now. */
const CHECK_MS = 50

/** What a write wants of its shards before it is carried out. */
export interface ActiveCopies {
  /** Undefined: what the index says. */
  readonly count: ActiveShardCount | undefined
  /** How long it waits for them. */
  readonly timeoutMs: number
  /** Since when, by performance.now(). */
  readonly since: number
}

/** Reads `wait_for_active_shards` and `timeout` of a write. @throws {ServiceError} illegal_argument_exception */
export function activeCopies(parameters: RequestParameters): ActiveCopies {
  const timeout = parameters.text('timeout')
  const timeoutMs = timeout === undefined ? 60_000 : parseTimeMs(timeout, 'timeout')
  const count = parameters.text('wait_for_active_shards')
  return { timeoutMs, since: performance.now(), count: count === undefined ? undefined : parseActiveShardCount(count) }
}

/** Whether an index has the copies that a write wants: one node never has more than one of each shard. */
export function hasActiveCopies(metadata: IndexMetadata, { count }: ActiveCopies): boolean {
  return copiesNeeded(count ?? indexActiveShardCount(metadata), metadata) <= 1
}

/** A write with the id that it would otherwise get when it is carried out. */
export function withId<T extends DocumentOperation>(operation: T): T & { readonly id: string } {
  return { ...operation, id: operation.id ?? autoId() }
}

/** Writes to one index that wait together. */
export interface WaitingWrites {
  readonly metadata: IndexMetadata
  /** Each with an id. */
  readonly operations: readonly DocumentOperation[]
  readonly refresh: boolean | 'wait_for'
}

/**
 * Waits until an index has the copies that writes to it want, which it comes to have when it is told to want fewer.
 *
 * @returns what each write is refused with when time is up; undefined: they may be carried out
 */
export async function awaitActiveCopies(
  { engine }: RestContext,
  asked: ActiveCopies,
  writes: WaitingWrites,
): Promise<((operation: DocumentOperation) => ServiceError) | undefined> {
  const count = asked.count ?? indexActiveShardCount(writes.metadata)
  const deadline = asked.since + asked.timeoutMs
  let { metadata } = writes
  while (copiesNeeded(count, metadata) > 1) {
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return refusal(engine.version, { ...writes, metadata }, count, asked.timeoutMs)
    await setTimeout(Math.min(leftMs, CHECK_MS))
    const now = engine.indices.get(metadata.name)
    // There is nothing to wait for: the write itself says why.
    if (now?.uuid !== metadata.uuid || now.state === 'close') return undefined
    metadata = now
  }
  return undefined
}

function refusal(
  version: EngineVersion,
  { metadata, operations, refresh }: WaitingWrites,
  count: ActiveShardCount,
  timeoutMs: number,
): (operation: DocumentOperation) => ServiceError {
  const shardOfWrite = ({ id = '', routing = id }: DocumentOperation) => shardOf(metadata, version, routing)
  const sizes = new Map<number, number>()
  for (const operation of operations) {
    const shard = shardOfWrite(operation)
    sizes.set(shard, (sizes.get(shard) ?? 0) + 1)
  }
  const copies = `[${count === 'all' ? 'ALL' : count}] (have 1, needed ${copiesNeeded(count, metadata)})`
  const timeout = timeoutMs < 0 ? '-1' : durationText(timeoutMs)
  return (operation) => {
    const shard = shardOfWrite(operation)
    const name = `[${metadata.name}][${shard}]`
    const reason = `${name} Not enough active copies to meet shard count of ${copies}. Timeout: [${timeout}]`
    if (version === 'OpenSearch_2.19') return new ServiceError('unavailable_shards_exception', reason)
    const writes = sizes.get(shard) === 1 ? operation : (sizes.get(shard) ?? 0)
    return new ServiceError(
      'unavailable_shards_exception',
      `${reason}, request: [${shardRequestText(name, metadata.name, writes, refresh)}]`,
    )
  }
}
