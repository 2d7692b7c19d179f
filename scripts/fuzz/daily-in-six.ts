import type { Context, Json } from './grammar.ts'
import type { Call } from './searches.ts'

/*
 * The same requests as applications wrote them for Elasticsearch 6.8: with types, and without what came later.
 */

/** The types of the two kinds of indices. */
export const TYPES = { product: 'product', logged: 'doc' } as const

/** What queries and aggregations stand for that came later: the same in other words, or what is nearest to it. */
const INSTEAD: Readonly<Record<string, (body: Json) => Json>> = {
  match_bool_prefix: (body) => {
    const [[field, asked]] = Object.entries<Json>(body) as [[string, Json]]
    return { match_phrase_prefix: { [field]: asked.query ?? asked } }
  },
  rank_feature: ({ field }) => ({ range: { [field]: { gte: 3 } } }),
  distance_feature: ({ field }) => ({ exists: { field } }),
  rare_terms: ({ field }) => ({ terms: { field, order: { _count: 'asc' } } }),
  geotile_grid: ({ field, precision }) => ({ geohash_grid: { field, precision: precision ?? 5 } }),
  top_metrics: ({ metrics }) => ({ max: metrics }),
}
const LATER = new Set(
  'case_insensitive hard_bounds numeric_type include_unmapped minimum_interval missing_order'.split(' '),
)
const RENAMED: Readonly<Record<string, string>> = { calendar_interval: 'interval', fixed_interval: 'interval' }
const VALUES: Readonly<Record<string, string>> = {
  search_as_you_type: 'text',
  rank_feature: 'integer',
  rank_features: 'object',
  bool_prefix: 'phrase_prefix',
  "yyyy-MM-dd'T'HH:mm:ssXXX": "yyyy-MM-dd'T'HH:mm:ssZZ",
  'uuuu/MM/dd': 'yyyy/MM/dd',
  strict_date_optional_time_nanos: 'strict_date_optional_time',
}

function older(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((item) => older(item, name))
  if (typeof value === 'string') return VALUES[value] ?? value
  if (typeof value !== 'object' || value === null) return value
  // One that scores by a script alone is a function of a query.
  if (value.script_score?.query !== undefined)
    return { function_score: { query: older(value.script_score.query), script_score: { script: '_score + 1' } } }
  // Whoever names an analyzer for searching names the other too.
  const whole = value.search_analyzer !== undefined ? { analyzer: 'standard', ...value } : value
  const kept = Object.entries<Json>(whole).filter(([key]) => !LATER.has(key))
  return Object.assign(
    {},
    ...kept.map(([key, member]) => {
      // A sort has no format, a geotile no place among sources.
      if (key === 'format' && value.order !== undefined && name === 'sort') return {}
      if (key === 'geotile_grid' && name === 'sources') return { terms: { field: 'needed' } }
      const instead = INSTEAD[key]?.(member)
      if (instead !== undefined && typeof member === 'object') return older(instead)
      const inside = name === 'sort' || name === 'sources' ? name : key
      return { [RENAMED[key] ?? key]: older(member, inside) }
    }),
  )
}

/** What creates an index, with its mappings under a type. */
export function indexInSix(body: Json, type: string): Json {
  const { mappings, ...rest } = older(body)
  return { ...rest, mappings: { [type]: mappings } }
}

/** A call of every day, in the older form. */
export function callInSix(c: Context, { kind, method, path, body }: Call): Call {
  const type =
    path.startsWith(`/${c.index}_logs`) || path.startsWith(`/${c.index}_errors`) ? TYPES.logged : TYPES.product
  const explained = path.replace(/\/_explain\/(\w+)/, `/${type}/$1/_explain`)
  const placed = c.random.chance(0.4)
    ? explained.replace(/\/(_search|_count|_validate)(?=[/?]|$)/, `/${type}/$1`)
    : explained
  const asked = placed.replace(/_source_excludes/, c.random.pick(['_source_excludes', '_source_exclude']))
  if (body === undefined) return { kind, method, path: asked }
  const { fields, ...made } = older(body)
  // It counts all or not at all.
  if (typeof made.track_total_hits === 'number') made.track_total_hits = true
  const text = JSON.stringify(made).replaceAll('"_id":"3"', `"_type":"${type}","_id":"3"`)
  return { kind, method, path: asked, body: JSON.parse(text) }
}
