import type { BackendRequest } from '../backend.ts'
import { pathNames } from './parameters/version-parameters.ts'
import type { Route } from './router.ts'

/** What of a path the query may say instead. Not the id: a document that is written without one there is another call. */
const NAMES: ReadonlySet<string> = new Set(['index', 'type', 'metric', 'name', 'node_id', 'repository'])

/** A name that a longer path of an endpoint has, and the parameter that says it. */
export type NameInQuery = readonly [name: string, parameter: string]

/**
 * What of an endpoint's paths the query may say.
 *
 * @param paths  of the endpoint, divided at `/`
 * @param taken  what the endpoint takes of the query as such
 */
export function namesInQuery(
  endpoint: string,
  paths: readonly (readonly string[])[],
  taken: ReadonlySet<string>,
): readonly NameInQuery[] {
  const names = new Set(paths.flat().flatMap((segment) => nameOf(segment) ?? []))
  return [...names].flatMap((name): readonly NameInQuery[] => {
    const [parameter = name] = pathNames(endpoint, [name])
    return NAMES.has(name) && !taken.has(parameter) ? [[name, parameter]] : []
  })
}

/**
 * A route with what the query says of a longer path to the same endpoint: the real servers take `/_search?index=a` as `/a/_search`,
 * and clients whose version knows no types send theirs so (`/a/_doc/1?type=_doc`). What the path says stands.
 *
 * @param said     of the endpoint, as {@link namesInQuery} has them
 * @param paths    of the endpoint, divided at `/`
 * @param request  asked whether the longer path is allowed
 * @throws {Error} the access layer's denial
 */
export function withNamesInQuery(
  route: Route & { readonly kind: 'found' },
  said: readonly NameInQuery[],
  paths: readonly (readonly string[])[],
  request: Pick<BackendRequest, 'query' | 'authorize'>,
): Route & { readonly kind: 'found' } {
  // Most queries say nothing of the kind.
  if (!said.some(([, parameter]) => request.query.has(parameter))) return route
  const parameters: Record<string, string> = { ...route.parameters }
  const empty: string[] = []
  for (const [name, parameter] of said) {
    if (parameters[name] !== undefined) continue
    const value = request.query.get(parameter)
    // Nothing stands for everything, as the shorter path does.
    if (value === '') empty.push(name)
    // What has two readings as a path is taken for none.
    else if (value !== undefined && !value.includes('/')) parameters[name] = value
  }
  const names = Object.keys(parameters)
  if (names.length === route.pathParameterNames.length)
    return empty.length === 0 ? route : { ...route, pathParameterNames: [...names, ...empty] }
  const longer = pathOf(paths, names) ?? pathOf(paths, withoutType(names))
  if (longer === undefined) return route
  judge(request, longer, parameters)
  return { ...route, parameters, pathParameterNames: names }
}

const nameOf = (segment: string): string | undefined => (segment.startsWith('{') ? segment.slice(1, -1) : undefined)

const withoutType = (names: readonly string[]): readonly string[] => names.filter((name) => name !== 'type')

/** The path with just these names. */
function pathOf(paths: readonly (readonly string[])[], names: readonly string[]): readonly string[] | undefined {
  return paths.find((path) => {
    const own = path.flatMap((segment) => nameOf(segment) ?? [])
    return own.length === names.length && own.every((name) => names.includes(name))
  })
}

function judge(
  { authorize }: Pick<BackendRequest, 'authorize'>,
  path: readonly string[],
  parameters: Readonly<Record<string, string>>,
): void {
  const [first = '', ...rest] = path.map((segment) => parameters[nameOf(segment) ?? ''] ?? segment)
  const isIndex = nameOf(path[0] ?? '') === 'index'
  // Else it is no name that was judged with the path asked for, which begins with it too.
  if (isIndex) authorize([first], rest.join('/'))
  else authorize([[first, ...rest].join('/')], '')
}
