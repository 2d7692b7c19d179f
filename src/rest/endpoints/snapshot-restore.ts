import { setTimeout } from 'node:timers/promises'
import { restoreTargets } from '../../engine/snapshot/restore-plan.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { judgeNewAliases, withReached } from '../indices/judge-names.ts'
import { parseRestoreBody } from '../snapshots/snapshot-body.ts'
import { authorizeGlobalState, judgeAsked } from './snapshot-create.ts'

/** How long a restore is waited for that its client does not want to wait for; clients give up after ten seconds. */
const LONGEST_WAIT_MS = 5_000

/**
 * `POST /_snapshot/<repository>/<snapshot>/_restore`: judged as what it amounts to, reading the indices of the snapshot by
 * their names there and making those it restores, and their aliases, by theirs.
 */
export const restoreSnapshot: EndpointHandler = async (request, context) => {
  const { engine } = context
  const asked = parseRestoreBody(request)
  const record = await engine.snapshots.toRestore(asked.repository, asked.snapshot)
  judgeAsked(request, asked.indices)
  const targets = restoreTargets(asked, record, engine.version, (indices) => {
    const read = new Set(indices)
    for (const { name, indices } of record.dataStreams ?? [])
      if (indices.some((index) => read.has(index))) read.add(name)
    request.authorize([...read], '_search')
  })
  const names = withReached(
    targets.flatMap(({ name, dataStream = name }) => [name, dataStream]),
    context,
  )
  request.authorize(names, '', 'PUT')
  request.authorize(names, '_bulk')
  if (asked.includeGlobalState) authorizeGlobalState(request, 'PUT')
  const { done } = await engine.snapshots.restore(asked, record, targets, (aliases) =>
    judgeNewAliases(request, context, aliases),
  )
  if (!request.parameters.boolean('wait_for_completion', false) && targets.length > 0) {
    // Its failure is logged.
    const ended = done.catch(() => {})
    // There the indices are made before the answer: clients ask for them by their names at once.
    await Promise.race([ended, setTimeout(LONGEST_WAIT_MS, undefined, { ref: false })])
    return { status: 200, json: { accepted: true } }
  }
  const { indices, shards } = await done
  return {
    status: 200,
    json: { snapshot: { snapshot: record.name, indices, shards: { total: shards, failed: 0, successful: shards } } },
  }
}
