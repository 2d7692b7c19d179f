import { streamOfBacking } from '../../engine/metadata/data-streams.ts'
import { resolveDateMathName } from '../../engine/metadata/date-math-name.ts'
import { indicesOf } from '../../engine/metadata/resolve-indices.ts'
import { validateNewIndexName } from '../../engine/metadata/validate-name.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { PipelineUsers } from '../ingest/write-pipelines.ts'
import { isAllowed } from '../is-allowed.ts'
import type { EndpointRequest } from '../rest-request.ts'

/*
 * A caller must not learn from an answer whether there is an index it may do nothing with. So names are judged whether
 * anything is called so or not, and before an error tells of what they stand for.
 */

/** Whether a name of an expression stands for others, or leaves them out. */
export const isPattern = (name: string): boolean => name.includes('*') || name === '_all' || name.startsWith('-')

/**
 * Judges the plain ones of names that nothing is called by; those that lead to indices are judged by these.
 *
 * @returns what is to be resolved: all of them but what a caller has left out (`a*,-b`) who may not know that there is no such thing
 * @throws {Error} the access layer's denial
 */
export function judgeUnknown(
  request: EndpointRequest,
  { engine }: RestContext,
  names: readonly string[],
  api: string,
): readonly string[] {
  for (const name of names) {
    if (engine.indices.has(name) || isPattern(name) || name === '') continue
    const resolved = resolveDateMathName(name, Date.now(), engine.version)
    if (indicesOf(resolved, engine.indices) === undefined) request.authorize([resolved], api)
  }
  return names.filter((name, i) => {
    const leftOut = name.slice(1)
    if (!isLeftOut(name, i, names) || isPattern(leftOut)) return true
    const resolved = resolvedName(leftOut, engine)
    return indicesOf(resolved, engine.indices) !== undefined || isAllowed(() => request.authorize([resolved], api))
  })
}

/** Judges names and patterns of a body as a path that says the same is judged; what they leave out is not asked for. */
export function judgeNamed(request: EndpointRequest, names: readonly string[], api: string): void {
  const asked = names.filter((name, i) => !isLeftOut(name, i, names))
  request.authorize(asked, api)
}

/** Whether an expression leaves a name out: `-x` behind a wildcard. */
function isLeftOut(name: string, i: number, names: readonly string[]): boolean {
  return name.startsWith('-') && names.slice(0, i).some((before) => before.includes('*'))
}

/**
 * Does what may complain of what a name stands for (an alias of several indices, a closed one): all of it is judged before the
 * complaint is passed on.
 *
 * @throws {Error} the access layer's denial, or the complaint
 */
export function judgedBeforeErrors<T>(
  request: EndpointRequest,
  context: RestContext,
  names: readonly string[],
  api: string,
  resolve: () => T,
): T {
  try {
    return resolve()
  } catch (error) {
    if (error instanceof ServiceError) {
      for (const name of names) judgeName(request, context, name, api)
      // A closed index that a pattern led to.
      const { index = '' } = error.detail
      if (context.engine.indices.has(index)) request.authorize([index], api)
    }
    throw error
  }
}

/**
 * Sees that an index can be made under a name. Where there is an alias of that name, who may not touch its indices is not told.
 *
 * @throws {Error} the access layer's denial
 * @throws {ServiceError} invalid_index_name_exception, resource_already_exists_exception
 */
export function checkNewIndex(request: EndpointRequest, context: RestContext, name: string): void {
  const { indices, version } = context.engine
  judgedBeforeErrors(request, context, [name], '', () => validateNewIndexName(name, indices, version))
}

/**
 * Judges a name for what it stands for: an index, the indices of an alias, or itself when nothing is called so.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeName(request: EndpointRequest, { engine }: RestContext, name: string, api: string): void {
  if (isPattern(name)) return
  const resolved = resolvedName(name, engine)
  const targets = indicesOf(resolved, engine.indices)
  request.authorize(targets === undefined ? [resolved] : targets.map((index) => index.name), api)
}

/** What a name is written for; a date math name that cannot be resolved stands for itself. */
export function resolvedName(name: string, engine: RestContext['engine']): string {
  try {
    return resolveDateMathName(name, Date.now(), engine.version)
  } catch (error) {
    if (error instanceof ServiceError) return name
    throw error
  }
}

/**
 * Judges names that indices are to be reached by: an alias called like an index that somebody else is about to make would take
 * what is written to it, and one that other indices have what is written to these.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeNewAliases(request: EndpointRequest, context: RestContext, aliases: Iterable<string>): void {
  request.authorize(withReached([...aliases], context), '_alias', 'PUT')
}

/** Names, and the indices that they lead to. */
export function withReached(names: readonly string[], { engine }: RestContext): readonly string[] {
  const reached = names.flatMap((name) => indicesOf(name, engine.indices) ?? [])
  return [...new Set([...names, ...reached.map(({ name }) => name)])]
}

/**
 * Judges what a template would be applied to: indices of all names that fit its patterns, and aliases that it gives them.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeTemplate(
  request: EndpointRequest,
  context: RestContext,
  patterns: readonly string[],
  aliases: Iterable<string> = [],
): void {
  for (const pattern of patterns) {
    const wildcard = pattern.indexOf('*')
    if (wildcard < 0) request.authorize([pattern], '', 'PUT')
    else request.authorizeDomain('PUT', pattern.slice(0, wildcard))
  }
  for (const alias of aliases) {
    // `{index}` stands for the name of the index.
    const variable = alias.indexOf('{index}')
    if (variable < 0) judgeNewAliases(request, context, [alias])
    else request.authorizeDomain('PUT', alias.slice(0, variable))
  }
}

/**
 * Judges what a pipeline has its effect on unasked, before it is changed.
 *
 * @throws {Error} the access layer's denial
 */
export function judgePipelineUsers(
  request: EndpointRequest,
  context: RestContext,
  { indices, patterns }: PipelineUsers,
): void {
  request.authorize(indices, '_settings', 'PUT')
  judgeTemplate(request, context, patterns)
}

/**
 * Names with those of the data streams that their indices stand behind, or would, going by their form: who may not touch one may
 * not by way of the other.
 */
export function withStreams(names: readonly string[], { indices, version }: RestContext['engine']): readonly string[] {
  if (version !== 'OpenSearch_2.19') return names
  let all: string[] | undefined
  for (const name of names) {
    const stream = indices.get(name)?.dataStream?.name ?? streamOfBacking(name)
    if (stream === undefined || (all ?? names).includes(stream)) continue
    all ??= [...names]
    all.push(stream)
  }
  return all ?? names
}
