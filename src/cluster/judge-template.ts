import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { type Json, writeJson } from '../rest/json/json-writer.ts'
import { searchParameters } from '../rest/search/template-parameters.ts'
import { tokenName } from '../token-name.ts'
import { checkOwn, passAnswer } from './cluster-answer.ts'
import type { ClusterCall } from './cluster-call.ts'
import { type ClusterClient, readAnswer } from './cluster-client.ts'
import { bodyOf, type JsonObject, member, text } from './json-members.ts'
import { IndexJudge } from './judge-indices.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

const JSON_TYPE = 'application/json'

/** What stands before a rendered search, which is as the template makes it, and need not be JSON. */
const RENDERED = '{"template_output":'

/**
 * A template is judged, and sent, as the search it comes to. What a stored one says is shown by a profile, explanations and what is
 * wrong with it only to who may read it.
 */
export async function judgeTemplate(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const { rights } = context
  const template = bodyOf(call)
  const id = text(member(template, 'id'))
  const own = id === undefined || rights.mayReadOne('_scripts', id) ? [] : [{ folder: '_scripts', name: id }]
  const judgeShown = () => {
    for (const { folder, name } of own) rights.requireToRead(folder, name)
  }
  // First, so that nothing wrong with it tells of an index.
  const state = await context.state()
  const { index } = route.parameters
  rights.require(index === undefined ? [] : index.split(','), state, '_search')
  const rendered = await render(call, context.client)
  if (rendered.statusCode !== 200) return { call, madeOf: own, answer: await passAnswer(call.method, rendered) }
  const output = (await readAnswer(rendered)).toString()
  if (!output.startsWith(RENDERED))
    throw new ServiceError('no_node_available_exception', 'what the cluster answers when asked to render is no search')
  const made = output.slice(RENDERED.length, -1)
  const flags: JsonObject = {}
  for (const name of ['explain', 'profile']) {
    const flag = member(template, name)
    if (flag !== undefined) flags[name] = flag
  }
  if (Object.values(flags).some((flag) => flag !== false && flag !== 'false')) judgeShown()
  const search: ClusterCall = {
    ...call,
    segments: call.segments.slice(0, -1),
    query: searchParameters(call.query),
    contentType: JSON_TYPE,
    body: Buffer.from(searchOf(made, flags, judgeShown)),
  }
  const searchRoute: Found = { ...route, endpoint: 'search' }
  const judged = await new IndexJudge(search, searchRoute, '_search', context, state).judge()
  const sent = { ...call, contentType: JSON_TYPE, body: Buffer.from(writeJson(asTemplate(made, flags))) }
  return { ...judged, madeOf: [...own, ...(judged.madeOf ?? [])], route: searchRoute, sent }
}

async function render({ body }: ClusterCall, client: ClusterClient) {
  const headers = { 'content-type': JSON_TYPE }
  const answer = await client.send({ method: 'POST', path: '/_render/template', headers, body })
  checkOwn(answer)
  return answer
}

/** The search that was made, as a body. @throws {ServiceError} for what is none; a denial where that is not to be told */
function searchOf(made: string, flags: JsonObject, judgeFault: () => void): string {
  let search: JsonValue
  try {
    search = made.trim() === '' ? null : parseJson(made)
    if (!isObject(search)) {
      const found = search === null ? 'null' : tokenName(search)
      throw new ServiceError('parsing_exception', `Expected [START_OBJECT] but found [${found}]`)
    }
  } catch (fault) {
    judgeFault()
    throw fault
  }
  return Object.keys(flags).length === 0 ? made : writeJson({ ...search, ...flags } as Json)
}

/** A template that comes to the very same, whatever becomes of the one it was made of meanwhile. */
function asTemplate(made: string, flags: JsonObject): Json {
  return { source: '{{{search}}}', params: { search: made }, ...flags } as Json
}
