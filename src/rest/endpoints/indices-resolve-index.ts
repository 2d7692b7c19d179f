import { dataStreams } from '../../engine/metadata/data-streams.ts'
import { indicesOptionsFromQuery, LENIENT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { indicesOf, resolveNames } from '../../engine/metadata/resolve-indices.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { scopeOf } from '../indices/index-names.ts'
import { judgeUnknown } from '../indices/judge-names.ts'

/** `GET /_resolve/index/<names>`: which indices and aliases expressions name; what is not there, or begins with `_`, names none. */
export const resolveIndex: EndpointHandler = (request, context) => {
  const { indices } = context.engine
  const given = (request.path['name'] ?? '').split(',').filter((name) => !name.startsWith('_'))
  judgeUnknown(request, context, given, '_resolve')
  const options = indicesOptionsFromQuery(request.parameters.values, LENIENT_EXPAND_OPEN)
  // By itself, too, `*` is a pattern like others, and not all indices.
  const patterns = given.map((name) => (name === '*' ? '**' : name))
  const found = given.length === 0 ? [] : [...resolveNames(patterns, options, scopeOf(context))].sort()
  const named = found.flatMap((name) => {
    const behind = indicesOf(name, indices)
    return behind === undefined ? [] : [{ name, behind }]
  })
  request.authorize([...new Set(named.flatMap(({ behind }) => behind.map(({ name }) => name)))], '_resolve')
  const streams = dataStreams(indices.values())
  return {
    status: 200,
    json: {
      indices: named.flatMap(({ name }) => {
        const index = indices.get(name)
        if (index === undefined) return []
        const aliases = Object.keys(index.aliases).sort()
        const attributes = [
          ...(index.settings['index.hidden'] === 'true' ? ['hidden'] : []),
          index.state === 'open' ? 'open' : 'closed',
        ]
        const stream = index.dataStream === undefined ? {} : { data_stream: index.dataStream.name }
        return [{ name, ...(aliases.length === 0 ? {} : { aliases }), attributes, ...stream }]
      }),
      aliases: named
        .filter(({ name }) => !indices.has(name) && !streams.has(name))
        .map(({ name, behind }) => ({ name, indices: behind.map((index) => index.name).sort() })),
      data_streams: found.flatMap((name) => {
        const stream = streams.get(name)
        if (stream === undefined) return []
        const { indices: behind, timestampField } = stream
        return [{ name, backing_indices: behind.map((index) => index.name), timestamp_field: timestampField }]
      }),
    },
  }
}
