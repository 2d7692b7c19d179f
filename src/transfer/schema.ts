import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { ServerInfo } from './server.ts'

/** Settings as an index shows them: flat, `index.`-prefixed. */
export type Settings = Readonly<Record<string, unknown>>
/** A mapping: `{ properties, dynamic, … }`. */
type Mapping = Readonly<Record<string, unknown>>

/** What an index is made from. Mappings by type; a typeless server's stands under `_doc`. */
export interface IndexSchema {
  readonly settings: Settings
  readonly mappings: Readonly<Record<string, Mapping>>
  readonly aliases: Readonly<Record<string, unknown>>
}

/** What becomes of types where the destination has none or only one: an index each, or one index with a `type` field. */
export type TypeRule = 'split' | 'field'

/** An index to make at the destination, and what was changed on the way. */
export interface PlannedIndex {
  readonly name: string
  readonly schema: IndexSchema
  /** Source types whose documents go here; undefined: all. */
  readonly types: readonly string[] | undefined
  /** Documents get their type as a field, and before their id. */
  readonly typeInField: boolean
  /** A line for each thing that the destination cannot take as it is. */
  readonly changes: readonly string[]
}

/** Settings that a server makes itself or that name its own nodes. */
const OWN_SETTINGS =
  /^index\.(uuid|creation_date(_string)?|provided_name|version\..*|resize\..*|routing\.allocation\..*|blocks\..*|history\..*|soft_deletes\..*|shrink\..*|verified_before_close|replication\.type|knn.*|plugins\..*|lifecycle\..*|opendistro.*|frozen|search\.throttled|merge\.policy\..*|store\.snapshot.*)$/

/** Reads an index' schema; one concrete index, whatever alias names it. */
export async function readSchema(client: DomainClient, index: string, server: ServerInfo): Promise<IndexSchema> {
  const path = `/${encodeURIComponent(index)}`
  const query = server.major === 7 && server.distribution === 'elasticsearch' ? '&include_type_name=false' : ''
  const { body } = await client.request<
    Record<string, { settings: Settings; mappings: Record<string, Mapping>; aliases?: object; data_stream?: string }>
  >('GET', `${path}?flat_settings=true${query}`)
  const names = Object.keys(body)
  const isStream = Object.entries(body).some(([name, { data_stream: stream }]) => stream === index && name !== index)
  if (isStream) {
    const reason = `[${index}] is a data stream: transfer the indices behind it (${names.sort().slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}) one by one, each to an index of another name`
    throw new ClientError('configuration', reason)
  }
  if (names.length !== 1) {
    throw new ClientError(
      'configuration',
      `[${index}] names ${names.length} indices (${names.slice(0, 5).join(', ')}): transfer them one by one`,
    )
  }
  const { settings, mappings, aliases, data_stream: stream } = body[names[0] as string] as (typeof body)[string]
  // What an index has of its data stream stays with that.
  const { 'index.hidden': _, ...shown } = settings
  const { _data_stream_timestamp: __, ...mapping } = mappings as Mapping
  return {
    settings: stream === undefined ? settings : shown,
    mappings: server.typed ? mappings : { _doc: stream === undefined ? (mappings as Mapping) : mapping },
    aliases: (aliases ?? {}) as IndexSchema['aliases'],
  }
}

/** Refuses a destination that is a data stream: that takes no documents under the versions they have. @throws {ClientError} */
export async function refuseStream(client: DomainClient, name: string): Promise<void> {
  const path = `/${encodeURIComponent(name)}`
  if (!(await client.exists(path))) return
  const { body } = await client.request<Record<string, { readonly data_stream?: string }>>('GET', path)
  if (!Object.values(body).some(({ data_stream: stream }) => stream !== undefined)) return
  const reason = `[${name}] is a data stream, or behind one: documents are moved to plain indices; _reindex with op_type create takes them from there`
  throw new ClientError('configuration', reason)
}

/**
 * What to make at the destination so that it can take the source's documents.
 *
 * @param name  the destination index
 * @param options.nori  seunjeon analyzers become nori ones
 */
export function planIndices(
  name: string,
  source: IndexSchema,
  destination: ServerInfo,
  options: { readonly typeRule: TypeRule; readonly nori: boolean },
): readonly PlannedIndex[] {
  const changes: string[] = []
  const settings = planSettings(source.settings, destination, options.nori, changes)
  // An index that is asked for by an alias may get that for its name.
  const { [name]: own, ...aliases } = source.aliases
  if (own !== undefined) changes.push(`alias [${name}] is left out: the index has its name`)
  const mappings = Object.fromEntries(
    Object.entries(source.mappings)
      .filter(([type]) => type !== '_default_')
      .map(([type, mapping]) => [type, planMapping(mapping, destination, changes)]),
  )
  const types = Object.keys(mappings)
  if (destination.typed) {
    if (types.length <= 1 || destination.multiType)
      return [{ name, schema: { settings, mappings, aliases }, types: undefined, typeInField: false, changes }]
  } else if (types.length <= 1) {
    const type = types[0]
    if (type !== undefined && type !== '_doc') changes.push(`type [${type}] is dropped: the destination has no types`)
    return [
      {
        name,
        schema: { settings, mappings: { _doc: mappings[type ?? ''] ?? {} }, aliases },
        types: undefined,
        typeInField: false,
        changes,
      },
    ]
  }
  if (options.typeRule === 'field') {
    changes.push(
      `the types ${types.join(', ')} become one, with their name in the field [type] and before the id (type#id)`,
    )
    const mapping = mergeMappings(Object.values(mappings))
    return [
      {
        name,
        schema: { settings, mappings: { _doc: mapping }, aliases },
        types: undefined,
        typeInField: true,
        changes,
      },
    ]
  }
  changes.push(`the types ${types.join(', ')} become indices of their own, ${name}-<type>`)
  return types.map((type) => ({
    name: `${name}-${type.toLowerCase().replace(/^[_+-]+/, '')}`,
    schema: { settings, mappings: { [destination.typed ? type : '_doc']: mappings[type] as Mapping }, aliases },
    types: [type],
    typeInField: false,
    changes,
  }))
}

/**
 * Makes an index that is not there. What the destination still refuses by name (an unknown setting, an unsupported mapping
 * parameter) is left out and named.
 *
 * @returns  lines that say what was left out
 */
export async function createIndex(
  client: DomainClient,
  planned: PlannedIndex,
  server: ServerInfo,
): Promise<readonly string[]> {
  const settings = { ...planned.schema.settings }
  const mappings = structuredClone(planned.schema.mappings) as Record<string, Record<string, unknown>>
  const left: string[] = []
  for (let attempt = 0; ; attempt++) {
    try {
      await client.createIndex(planned.name, {
        settings,
        mappings: server.typed ? mappings : (mappings['_doc'] ?? {}),
        aliases: planned.schema.aliases,
      })
      return left
    } catch (error) {
      // It was not there a moment ago: the answer to this very request was lost, and it was sent again.
      if (error instanceof ClientError && /^(resource|index)_already_exists_exception$/.test(error.type ?? ''))
        return left
      const what = error instanceof ClientError && attempt < 50 ? leaveOut(error, settings, mappings) : undefined
      if (what === undefined) throw error
      left.push(what)
    }
  }
}

/** Removes what an error names from settings or mappings; undefined when it names nothing that can be left out. */
function leaveOut(
  error: ClientError,
  settings: Record<string, unknown>,
  mappings: Record<string, Record<string, unknown>>,
): string | undefined {
  const text = JSON.stringify(error.body ?? error.reason)
  const setting = /unknown setting \[([^\]]+)\]/.exec(text)?.[1]
  if (setting !== undefined && setting in settings) {
    delete settings[setting]
    return `setting [${setting}] is unknown to the destination`
  }
  const parameters = /unsupported parameters: +\[([^\]]+)\]/.exec(text)?.[1]
  const names =
    parameters?.match(/\w+(?= :)/g) ??
    (/unknown parameter \[(\w+)\]/.exec(text)?.[1] === undefined
      ? []
      : [/unknown parameter \[(\w+)\]/.exec(text)?.[1] as string])
  let removed = 0
  for (const mapping of Object.values(mappings)) for (const name of names) removed += removeParameter(mapping, name)
  return removed > 0
    ? `mapping parameter [${names.join(', ')}] is not supported by the destination (${removed} times)`
    : undefined
}

function removeParameter(node: Record<string, unknown>, name: string): number {
  let removed = 0
  if (name in node && name !== 'properties') {
    delete node[name]
    removed++
  }
  for (const holder of [node['properties'], node['fields']]) {
    for (const child of Object.values((holder ?? {}) as Record<string, Record<string, unknown>>))
      removed += removeParameter(child, name)
  }
  return removed
}

function planSettings(source: Settings, destination: ServerInfo, nori: boolean, changes: string[]): Settings {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(source)) {
    if (OWN_SETTINGS.test(name)) continue
    if (name.startsWith('index.mapper.') || (name === 'index.mapping.single_type' && !destination.multiType)) {
      changes.push(`setting [${name}] is left out`)
      continue
    }
    settings[name] = value
    if (/^index\.(default|final)_pipeline$/.test(name) && value !== '_none')
      changes.push(`pipeline [${value}] is not moved: [${name}] of later writes needs it at the destination`)
    if (name === 'index.search.default_pipeline' && value !== '_none')
      changes.push(`search pipeline [${value}] is not moved: [${name}] needs it at the destination`)
  }
  return nori ? seunjeonToNori(settings, changes) : settings
}

/** Turns seunjeon tokenizers and analyzers into nori ones as near as they come: compounds in both forms, user words kept. */
function seunjeonToNori(settings: Record<string, unknown>, changes: string[]): Settings {
  const out = { ...settings }
  for (const [name, value] of Object.entries(settings)) {
    const tokenizer = /^index\.analysis\.tokenizer\.(.+)\.type$/.exec(name)?.[1]
    if (tokenizer !== undefined && /^seunjeon(_default)?_tokenizer$/.test(String(value))) {
      const prefix = `index.analysis.tokenizer.${tokenizer}.`
      const words = collectList(out, `${prefix}user_words`)
      for (const key of Object.keys(out)) if (key.startsWith(prefix)) delete out[key]
      out[`${prefix}type`] = 'nori_tokenizer'
      out[`${prefix}decompound_mode`] = 'mixed'
      if (words.length > 0) out[`${prefix}user_dictionary_rules`] = words.map(noriRule)
      changes.push(
        `tokenizer [${tokenizer}] becomes nori_tokenizer (decompound_mode mixed, ${words.length} user words)`,
      )
    }
    const analyzer = /^index\.analysis\.analyzer\.(.+)\.(type|tokenizer)$/.exec(name)
    // A tokenizer of the index' own is changed above, under its name; only ready-made ones are named differently.
    const own = analyzer?.[2] === 'tokenizer' && `index.analysis.tokenizer.${String(value)}.type` in settings
    if (analyzer !== null && !own && /^seunjeon/.test(String(value))) {
      out[name] = analyzer[2] === 'type' ? 'nori' : 'nori_tokenizer'
      changes.push(`analyzer [${analyzer[1]}] uses ${String(out[name])}`)
    }
  }
  return out
}

/** A list setting in either flat form: one array, or `name.0`, `name.1`, … */
function collectList(settings: Record<string, unknown>, name: string): string[] {
  const whole = settings[name]
  if (Array.isArray(whole)) return whole.map(String)
  if (typeof whole === 'string') return whole.split(',')
  return Object.keys(settings)
    .filter((key) => key.startsWith(`${name}.`))
    .sort((a, b) => Number(a.slice(name.length + 1)) - Number(b.slice(name.length + 1)))
    .map((key) => String(settings[key]))
}

/** `낄끼+빠빠,-100` in seunjeon's form is `낄끼빠빠 낄끼 빠빠` in nori's. */
function noriRule(word: string): string {
  const surface = (word.split(',')[0] as string).trim()
  const parts = surface.split(/(?<!\\)\+/).map((p) => p.replaceAll('\\+', '+'))
  return parts.length > 1 ? `${parts.join('')} ${parts.join(' ')}` : (parts[0] as string)
}

function planMapping(mapping: Mapping, destination: ServerInfo, changes: string[]): Mapping {
  const copy = structuredClone(mapping) as Record<string, unknown>
  const { includes = [], excludes = [] } = (copy['_source'] ?? {}) as Record<string, readonly unknown[]>
  if (includes.length > 0 || excludes.length > 0)
    changes.push('[_source] leaves fields out: they are not stored, and so not moved')
  if ('_all' in copy && (destination.major >= 6 || destination.distribution === 'opensearch')) {
    delete copy['_all']
    changes.push('[_all] is left out of the mapping: it is gone since 6.0')
  }
  if (destination.major >= 6 || destination.distribution === 'opensearch') {
    const removed = removeParameter(copy, 'include_in_all')
    if (removed > 0) changes.push(`[include_in_all] is left out of ${removed} fields`)
  }
  return copy
}

/** One mapping for several types' documents; the first type to map a field decides, and `type` becomes a keyword. */
function mergeMappings(mappings: readonly Mapping[]): Mapping {
  const properties: Record<string, unknown> = { type: { type: 'keyword' } }
  for (const mapping of mappings) {
    for (const [name, field] of Object.entries((mapping['properties'] ?? {}) as Record<string, unknown>))
      properties[name] ??= field
  }
  return { ...mappings[0], properties }
}
