import { repositoryMissing, snapshotMissing } from '../../engine/snapshot/snapshot-name.ts'
import type { SnapshotRecord } from '../../engine/snapshot/snapshot-record.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'
import { findSnapshots } from '../snapshots/find-snapshots.ts'
import { indexNames, snapshotJson } from '../snapshots/snapshot-json.ts'
import { runningStatusJson, snapshotStatusJson } from '../snapshots/snapshot-status-json.ts'

/** Sees that a caller may know of, or do away with, what snapshots have of indices. */
export function authorizeSnapshots(request: EndpointRequest, snapshots: readonly SnapshotRecord[]): void {
  for (const snapshot of snapshots) request.authorize([...indexNames(snapshot)], '_snapshot')
}

/** `GET /_snapshot/<repository>/<snapshots>`. */
export const getSnapshot: EndpointHandler = async (request, { engine }) => {
  const { repository, snapshot } = request.path as { readonly repository: string; readonly snapshot: string }
  const ignoreUnavailable = request.parameters.boolean('ignore_unavailable', false)
  const verbose = request.parameters.boolean('verbose', true)
  const found = await findSnapshots(engine.snapshots, repository, snapshot.split(','), ignoreUnavailable)
  authorizeSnapshots(request, found)
  // A list of names alone is one by name.
  const shown = verbose ? found : [...found].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    status: 200,
    json: { snapshots: shown.map((record) => snapshotJson(record, request, engine.nodeId, verbose)) },
  }
}

/** `GET /_snapshot[/<repository>[/<snapshots>]]/_status`: without names, what is under way. */
export const snapshotStatus: EndpointHandler = async (request, { engine }) => {
  const { repository, snapshot } = request.path
  const all = repository === undefined || repository === '_all'
  const running = engine.snapshots.running(all ? undefined : repository)
  authorizeSnapshots(
    request,
    running.map(({ record }) => record),
  )
  const asked = snapshot?.split(',') ?? []
  if (all || asked.length === 0 || asked.includes('_all') || asked.includes('_current'))
    return { status: 200, json: { snapshots: running.map((one) => runningStatusJson(one, request)) } }
  const ignoreUnavailable = request.parameters.boolean('ignore_unavailable', false)
  if (!engine.snapshots.repositories.some(([name]) => name === repository)) throw repositoryMissing(repository)
  const finished = await engine.snapshots.list(repository, ignoreUnavailable)
  authorizeSnapshots(
    request,
    finished.filter(({ name }) => asked.includes(name)),
  )
  const json: Json[] = []
  for (const name of asked) {
    const underWay = running.find((one) => one.request.name === name)
    const record = finished.find((one) => one.name === name)
    if (underWay !== undefined) json.push(runningStatusJson(underWay, request))
    else if (record !== undefined) json.push(snapshotStatusJson(record, repository, request))
    else if (!ignoreUnavailable) throw snapshotMissing(repository, name)
  }
  return { status: 200, json: { snapshots: json } }
}

/** `DELETE /_snapshot/<repository>/<snapshot>`: one name in 6.8, a list of names and patterns later. */
export const deleteSnapshot: EndpointHandler = async (request, { engine }) => {
  const { repository, snapshot } = request.path as { readonly repository: string; readonly snapshot: string }
  const names = request.dialect.typed ? [snapshot] : snapshot.split(',')
  const records = [
    ...(await engine.snapshots.list(repository, true)),
    ...engine.snapshots.running(repository).map(({ record }) => record),
  ]
  authorizeSnapshots(
    request,
    records.filter(({ name }) => names.some((n) => n === name || matchWildcard(n, name))),
  )
  await engine.snapshots.delete(repository, names)
  return ACKNOWLEDGED
}
