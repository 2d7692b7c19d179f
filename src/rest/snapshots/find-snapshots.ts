import { snapshotMissing } from '../../engine/snapshot/snapshot-name.ts'
import type { SnapshotRecord } from '../../engine/snapshot/snapshot-record.ts'
import type { Snapshots } from '../../engine/snapshot/snapshots.ts'
import { matchWildcard } from '../../match-wildcard.ts'

/**
 * The snapshots of a repository that names and patterns stand for, oldest first; `_all` and `_current` among them.
 *
 * @throws {ServiceError} snapshot_missing_exception, repository_missing_exception, repository_exception
 */
export async function findSnapshots(
  snapshots: Snapshots,
  repository: string,
  names: readonly string[],
  ignoreUnavailable: boolean,
): Promise<readonly SnapshotRecord[]> {
  const finished = await snapshots.list(repository, ignoreUnavailable)
  const running = snapshots.running(repository).map(({ record }) => record)
  const runningUuids = new Set(running.map(({ uuid }) => uuid))
  const all = [...finished.filter(({ uuid }) => !runningUuids.has(uuid)), ...running]
  if (names.length === 0 || (names.length === 1 && (names[0] === '_all' || names[0] === '*'))) return sorted(all)
  const found = new Set<SnapshotRecord>()
  for (const name of names) {
    if (name === '_current') {
      for (const snapshot of running) found.add(snapshot)
      continue
    }
    const matching = all.filter((snapshot) => matchWildcard(name, snapshot.name))
    if (matching.length === 0 && !name.includes('*') && !ignoreUnavailable) throw snapshotMissing(repository, name)
    for (const snapshot of matching) found.add(snapshot)
  }
  if (found.size === 0 && !ignoreUnavailable && !names.includes('_current'))
    throw snapshotMissing(repository, names[0] as string)
  return sorted([...found])
}

function sorted(snapshots: readonly SnapshotRecord[]): readonly SnapshotRecord[] {
  return [...snapshots].sort((a, b) => a.startedAt - b.startedAt || (a.name < b.name ? -1 : 1))
}
