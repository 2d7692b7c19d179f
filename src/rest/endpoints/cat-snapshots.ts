import { ServiceError } from '../../errors.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { validationFailed } from './document-parameters.ts'

const COLUMNS = [
  column<never>('id:snapshot', 'name of the snapshot', () => ''),
  column<never>('status:s', 'how it ended', () => ''),
  column<never>('start_epoch:ste,startEpoch', 'start, s since 1970', () => ''),
  column<never>('start_time:sti,startTime', 'start as HH:MM:SS', () => ''),
  column<never>('end_epoch:ete,endEpoch', 'end, s since 1970', () => ''),
  column<never>('end_time:eti,endTime', 'end as HH:MM:SS', () => ''),
  column<never>('duration:dur', 'how long it took', () => ''),
  column<never>('>indices:i', 'indices in it', () => ''),
  column<never>('>successful_shards:ss', 'shards in it', () => ''),
  column<never>('>failed_shards:fs', 'shards that failed', () => ''),
  column<never>('>total_shards:ts', 'shards in all', () => ''),
  column<never>('-reason:r', 'why shards failed', () => ''),
]

/** `GET /_cat/snapshots[/<repository>]`: there is no repository, so none is found. */
export const catSnapshots: EndpointHandler = (request) => {
  const { repository } = request.path
  if (!request.parameters.boolean('help', false)) {
    if (repository !== undefined) throw new ServiceError('repository_missing_exception', `[${repository}] missing`)
    if (request.dialect.typed) throw validationFailed(['repository is missing'])
  }
  return catTable(request, COLUMNS, [])
}
