import { parseJavaInteger } from '../../engine/java/java-number.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { replicaCount } from '../indices/shard-counts.ts'

/** How many copies of a shard are to be active: a number of them, or all that were asked for. */
export type ActiveShardCount = number | 'all'

/** Reads `wait_for_active_shards`. @throws {ServiceError} illegal_argument_exception */
export function parseActiveShardCount(text: string): ActiveShardCount {
  if (text === 'all') return 'all'
  const count = parseJavaInteger(text, 32)
  if (count === undefined) {
    throw illegalArgument(
      `cannot parse ActiveShardCount[${text}]`,
      new ServiceError('number_format_exception', `For input string: "${text}"`),
    )
  }
  if (count < 0n) throw illegalArgument('shard count cannot be a negative value')
  return Number(count)
}

/** What an index asks for where a request says nothing: `index.write.wait_for_active_shards`. */
export function indexActiveShardCount(index: IndexMetadata): ActiveShardCount {
  const setting = index.settings['index.write.wait_for_active_shards']
  return typeof setting === 'string' ? parseActiveShardCount(setting) : 1
}

/** Copies needed of each shard of an index. */
export function copiesNeeded(count: ActiveShardCount, index: IndexMetadata): number {
  return count === 'all' ? replicaCount(index) + 1 : count
}
