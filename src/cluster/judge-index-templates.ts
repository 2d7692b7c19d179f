import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { patternListsMeet } from '../patterns-meet.ts'
import type { JsonValue } from '../rest/body/parse-json.ts'
import type { ClusterCall } from './cluster-call.ts'
import { bodyOf, list, member } from './json-members.ts'
import { judgeGivenPipelines } from './judge-pipeline.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'
import { definesQueries } from './stored-queries.ts'

/**
 * Judges making and removing templates by what they are applied to: indices of all names that fit their patterns, and the
 * aliases these get. The one that is replaced is gone for the indices it was for.
 *
 * @throws {Error} a denial
 */
export async function judgeIndexTemplates(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const { rights } = context
  if (call.method !== 'DELETE') {
    const body = bodyOf(call)
    const template = member(body, 'template')
    const patterns = [
      ...textsOf(member(body, 'index_patterns')),
      // 6.x has a pattern by this name, later ones what the template is made of.
      ...(isObject(template) ? [] : textsOf(template)),
      ...textsOf(call.query.get('index_patterns')),
      ...textsOf(call.query.get('template')),
    ]
    // What it is made of besides may give any alias.
    if (patterns.length === 0 || member(body, 'composed_of') !== undefined || definesQueries(body))
      rights.requireDomain('PUT')
    for (const pattern of patterns) rights.requirePattern(pattern)
    await judgeGivenPipelines(body, context)
    for (const aliases of [member(body, 'aliases'), member(template, 'aliases')])
      if (isObject(aliases)) rights.requireAliases(Object.keys(aliases), await context.state())
    if (route.endpoint === 'indices.put_index_template') await judgeRivals(patterns, body, route, context)
  }
  for (const pattern of await patternsOf(route, context)) rights.requirePattern(pattern)
  // They tell of other templates.
  const hidesWarnings = !['_template', '_index_template'].every((folder) => rights.mayReadStored(folder))
  return { call, hidesWarnings }
}

/** What it cannot stand beside the cluster tells with its patterns. */
async function judgeRivals(
  patterns: readonly string[],
  body: JsonValue | undefined,
  { parameters: { name } }: Found,
  { rights, templates }: JudgeContext,
): Promise<void> {
  const priority = Number(member(body, 'priority') ?? 0)
  for (const rival of await templates()) {
    const isRival = rival.name !== undefined && rival.name !== name && rival.priority === priority
    if (isRival && patternListsMeet(rival.patterns, patterns)) rights.requireToRead('_index_template', rival.name)
  }
}

/** Patterns of the templates that are there by the name of the path. */
async function patternsOf(route: Found, { client }: JudgeContext): Promise<readonly string[]> {
  const { name = '' } = route.parameters
  const isComposable = route.endpoint.includes('index_template')
  const path = `/${isComposable ? '_index_template' : '_template'}/${encodeURIComponent(name)}`
  const { status, json } = await client.json('GET', path)
  if (status >= 500) {
    throw new ServiceError('no_node_available_exception', `the cluster does not tell its templates: status ${status}`)
  }
  // There is none, or the cluster has no such templates.
  if (status !== 200) return []
  const composable = member(json as JsonValue, 'index_templates')
  const found = Array.isArray(composable)
    ? composable.map((one) => member(one, 'index_template'))
    : Object.values((json ?? {}) as { [name: string]: JsonValue })
  return found.flatMap((template) => [
    ...textsOf(member(template, 'index_patterns')),
    ...textsOf(member(template, 'template')),
  ])
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return value === undefined || value === null || isObject(value) ? [] : list(value)
}
