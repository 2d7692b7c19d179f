import { ServiceError } from '../errors.ts'
import type { JsonValue } from '../rest/body/parse-json.ts'
import { type Json, writeJson } from '../rest/json/json-writer.ts'
import type { ClusterCall } from './cluster-call.ts'
import { bodyOf, member, text } from './json-members.ts'
import { IndexJudge } from './judge-indices.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

/**
 * A template is judged, and sent, as the search it comes to. What a stored one says is shown by a profile, explanations and what is
 * wrong with it only to who may read it.
 */
export async function judgeTemplate(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const template = bodyOf(call)
  const id = text(member(template, 'id'))
  const judgeShown = () => {
    if (id !== undefined) context.rights.requireToRead('_scripts', id)
  }
  // First, so that nothing wrong with it tells of an index.
  const state = await context.state()
  const { index } = route.parameters
  context.rights.require(index === undefined ? [] : index.split(','), state, '_search')
  const { status, json } = await context.client.json('POST', '/_render/template', (template ?? {}) as object)
  const output = member(json as JsonValue, 'template_output')
  if (status !== 200 || typeof output !== 'object' || output === null || Array.isArray(output)) {
    judgeShown()
    throw new ServiceError('illegal_argument_exception', `the cluster does not render the template: ${reasonOf(json)}`)
  }
  const flags = Object.fromEntries(
    ['explain', 'profile'].flatMap((name) =>
      member(template, name) === undefined ? [] : [[name, member(template, name)]],
    ),
  )
  if (Object.values(flags).some((flag) => flag !== false && flag !== 'false')) judgeShown()
  const search: ClusterCall = {
    ...call,
    segments: call.segments.slice(0, -1),
    contentType: 'application/json',
    body: Buffer.from(writeJson({ ...output, ...flags } as Json)),
  }
  const searchRoute: Found = { ...route, endpoint: 'search' }
  const judged = await new IndexJudge(search, searchRoute, '_search', context, state).judge()
  const own = id === undefined || context.rights.mayReadOne('_scripts', id) ? [] : [{ folder: '_scripts', name: id }]
  return { ...judged, madeOf: [...own, ...(judged.madeOf ?? [])], route: searchRoute }
}

function reasonOf(json: unknown): string {
  return text(member(member(json as JsonValue, 'error'), 'reason')) ?? 'no reason is told'
}
