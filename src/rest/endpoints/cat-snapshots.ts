import type { SnapshotRecord } from '../../engine/snapshot/snapshot-record.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Duration } from '../cat/cat-value.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { findSnapshots } from '../snapshots/find-snapshots.ts'
import { indexNames, shardCounts } from '../snapshots/snapshot-json.ts'
import { authorizeSnapshots } from './snapshot-get.ts'

const seconds = (ms: number): number => Math.floor(ms / 1000)
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

const COLUMNS = [
  column<SnapshotRecord>('id:id,snapshot', 'unique snapshot', (s) => s.name),
  column<SnapshotRecord>('>status:s,status', 'snapshot name', (s) => s.state),
  column<SnapshotRecord>('start_epoch:ste,startEpoch', 'start time in seconds since 1970-01-01 00:00:00', (s) =>
    seconds(s.startedAt),
  ),
  column<SnapshotRecord>('start_time:sti,startTime', 'start time in HH:MM:SS', (s) => clock(s.startedAt)),
  column<SnapshotRecord>('end_epoch:ete,endEpoch', 'end time in seconds since 1970-01-01 00:00:00', (s) =>
    seconds(s.endedAt),
  ),
  column<SnapshotRecord>('end_time:eti,endTime', 'end time in HH:MM:SS', (s) => clock(s.endedAt)),
  column<SnapshotRecord>('>duration:dur,duration', 'duration', (s) => {
    return new Duration((s.endedAt === 0 ? Date.now() : s.endedAt) - s.startedAt)
  }),
  column<SnapshotRecord>('>indices:i,indices', 'number of indices', (s) => indexNames(s).size),
  column<SnapshotRecord>(
    '>successful_shards:ss,successful_shards',
    'number of successful shards',
    (s) => shardCounts(s).successful,
  ),
  column<SnapshotRecord>('>failed_shards:fs,failed_shards', 'number of failed shards', (s) => shardCounts(s).failed),
  column<SnapshotRecord>('>total_shards:ts,total_shards', 'number of total shards', (s) => shardCounts(s).total),
  column<SnapshotRecord>('-reason:r,reason', 'reason for failures', (s) => s.failures[0]?.reason),
]

/** `GET /_cat/snapshots/<repository>`. */
export const catSnapshots: EndpointHandler = async (request, { engine }) => {
  const { repository } = request.path
  if (request.parameters.boolean('help', false)) return catTable(request, COLUMNS, [])
  if (repository === undefined) throw validationFailed(['repository is missing'])
  const ignoreUnavailable = request.parameters.boolean('ignore_unavailable', false)
  const found = await findSnapshots(engine.snapshots, repository, [], ignoreUnavailable)
  authorizeSnapshots(request, found)
  return catTable(request, COLUMNS, found)
}
