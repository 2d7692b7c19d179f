import { ServiceError } from '../../errors.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { RunningSnapshot } from './running-snapshot.ts'

/**
 * Sees that no snapshot under way is to have these indices. One that may be partial does without them.
 *
 * @throws {ServiceError} snapshot_in_progress_exception
 */
export function checkIndicesNotTaken(
  running: readonly RunningSnapshot[],
  indices: readonly IndexMetadata[],
  change: 'delete' | 'close',
): void {
  const isTaken = ({ name }: IndexMetadata) => requests(running).some((request) => request.indices.includes(name))
  const taken = indices.filter(isTaken).map(({ name, uuid }) => `[${name}/${uuid}]`)
  if (taken.length > 0) throw inProgress(`${change} indices`, taken)
}

/** The same of data streams that are to be deleted. @throws {ServiceError} snapshot_in_progress_exception */
export function checkStreamsNotTaken(running: readonly RunningSnapshot[], names: readonly string[]): void {
  const isTaken = (name: string) =>
    requests(running).some(({ dataStreams = [] }) => dataStreams.some((stream) => stream.name === name))
  const taken = names.filter(isTaken)
  if (taken.length > 0) throw inProgress('delete data streams', taken)
}

const requests = (running: readonly RunningSnapshot[]) =>
  running.map(({ request }) => request).filter(({ partial }) => !partial)

const inProgress = (what: string, taken: readonly string[]): ServiceError =>
  new ServiceError(
    'snapshot_in_progress_exception',
    `Cannot ${what} that are being snapshotted: [${taken.join(', ')}]. ` +
      'Try again after snapshot finishes or cancel the currently running snapshot.',
  )
