import { repositoryMissing, snapshotMissing } from '../../engine/snapshot/snapshot-name.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'
import { findSnapshots } from '../snapshots/find-snapshots.ts'
import { snapshotJson } from '../snapshots/snapshot-json.ts'
import { runningStatusJson, snapshotStatusJson } from '../snapshots/snapshot-status-json.ts'

/** `GET /_snapshot/<repository>/<snapshots>`. */
export const getSnapshot: EndpointHandler = async (request, { engine }) => {
  const { repository, snapshot } = request.path as { readonly repository: string; readonly snapshot: string }
  const ignoreUnavailable = request.parameters.boolean('ignore_unavailable', false)
  const verbose = request.parameters.boolean('verbose', true)
  const found = await findSnapshots(engine.snapshots, repository, snapshot.split(','), ignoreUnavailable)
  return {
    status: 200,
    json: { snapshots: found.map((record) => snapshotJson(record, request, engine.nodeId, verbose)) },
  }
}

/** `GET /_snapshot[/<repository>[/<snapshots>]]/_status`: without names, what is under way. */
export const snapshotStatus: EndpointHandler = async (request, { engine }) => {
  const { repository, snapshot } = request.path
  const all = repository === undefined || repository === '_all'
  const running = engine.snapshots.running(all ? undefined : repository)
  const asked = snapshot?.split(',') ?? []
  if (all || asked.length === 0 || asked.includes('_all') || asked.includes('_current'))
    return { status: 200, json: { snapshots: running.map((one) => runningStatusJson(one, request)) } }
  const ignoreUnavailable = request.parameters.boolean('ignore_unavailable', false)
  if (!engine.snapshots.repositories.some(([name]) => name === repository)) throw repositoryMissing(repository)
  const finished = await engine.snapshots.list(repository, ignoreUnavailable)
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
  await engine.snapshots.delete(repository, request.dialect.typed ? [snapshot] : snapshot.split(','))
  return ACKNOWLEDGED
}
