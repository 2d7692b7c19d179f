import { isObject } from '../../is-object.ts'
import { list } from './query-options.ts'
import { type Json, UNWRITTEN } from './written-json.ts'

/** How queries and scripts within are written. */
interface Writers {
  readonly query: (json: unknown) => Json
  readonly script: (json: unknown) => unknown
}

/** `inner_hits` as messages quote them. */
export function writeInnerHits(json: Json, ignoreUnmapped: boolean, writers: Writers): Json {
  const { name, from = 0, size = 3, stored_fields: stored, docvalue_fields: columns, script_fields: scripts } = json
  const flags = ['version', 'seq_no_primary_term', 'explain', 'track_scores']
  if (json['collapse'] !== undefined) throw UNWRITTEN
  return {
    ...(name === undefined ? {} : { name }),
    ...{ ignore_unmapped: ignoreUnmapped, from, size },
    ...Object.fromEntries(flags.map((flag) => [flag, String(json[flag]) === 'true'])),
    ...(json['_source'] === undefined ? {} : { _source: sourceFilter(json['_source']) }),
    ...(stored === undefined ? {} : { stored_fields: oneOrListed(stored) }),
    ...(columns === undefined ? {} : { docvalue_fields: list(columns).map(column) }),
    ...(scripts === undefined ? {} : { script_fields: scriptFields(scripts as Json, writers) }),
    ...(json['sort'] === undefined ? {} : { sort: list(json['sort']).map(sortKey) }),
    ...(json['highlight'] === undefined ? {} : { highlight: highlight(json['highlight'] as Json, writers) }),
  }
}

const oneOrListed = (value: unknown): unknown => (list(value).length === 1 ? list(value)[0] : value)

function sourceFilter(source: unknown): unknown {
  if (source === false || source === 'false') return false
  if (source === true || source === 'true') return { includes: [], excludes: [] }
  const { includes, include, excludes, exclude } = isObject(source) ? source : { includes: source }
  return { includes: list(includes ?? include ?? []), excludes: list(excludes ?? exclude ?? []) }
}

/** A field alone is a text. */
function column(json: unknown): unknown {
  return isObject(json) && (json['format'] ?? undefined) === undefined ? json['field'] : json
}

function scriptFields(fields: Json, { script }: Writers): Json {
  return Object.fromEntries(
    Object.entries(fields as Readonly<Record<string, Json>>).map(([name, field]) => [
      name,
      { script: script(field['script']), ignore_failure: String(field['ignore_failure']) === 'true' },
    ]),
  )
}

function sortKey(json: unknown): Json {
  if (typeof json === 'string') return { [json]: { order: json === '_score' ? 'desc' : 'asc' } }
  const [[field, told] = ['', {}], another] = Object.entries(json as Json)
  if (another !== undefined || field.startsWith('_script') || field.startsWith('_geo')) throw UNWRITTEN
  if (!isObject(told)) return { [field]: { order: String(told) } }
  const { order = field === '_score' ? 'desc' : 'asc', missing, unmapped_type, mode, ...rest } = told
  if (Object.keys(rest).length > 0) throw UNWRITTEN
  return { [field]: present({ order, missing, unmapped_type, mode }) }
}

const HIGHLIGHT_OPTIONS =
  'pre_tags post_tags fragment_size number_of_fragments type fragmenter highlight_query order boundary_scanner boundary_max_scan boundary_chars boundary_scanner_locale force_source require_field_match no_match_size phrase_limit options encoder fragment_offset matched_fields'.split(
    ' ',
  )

function highlight(json: Json, writers: Writers): Json {
  const { fields, tags_schema: schema, ...options } = json
  if (schema !== undefined || Array.isArray(fields)) throw UNWRITTEN
  return {
    ...highlightOptions(options, writers),
    ...(fields === undefined || Object.keys(fields as Json).length === 0
      ? {}
      : {
          fields: Object.fromEntries(
            Object.entries(fields as Json).map(([name, field]) => [name, highlightOptions(field as Json, writers)]),
          ),
        }),
  }
}

function highlightOptions(json: Json, { query }: Writers): Json {
  if (Object.keys(json).some((name) => !HIGHLIGHT_OPTIONS.includes(name))) throw UNWRITTEN
  const write = (name: string, value: unknown): unknown => {
    if (name === 'highlight_query') return query(value)
    if (/_tags$|_fields$/.test(name)) return list(value)
    return name === 'boundary_scanner' ? String(value).toUpperCase() : value
  }
  return present(
    Object.fromEntries(
      HIGHLIGHT_OPTIONS.map((name) => [name, json[name] === undefined ? undefined : write(name, json[name])]),
    ),
  )
}

const present = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined && value !== null))
