import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import type { JsonValue } from '../rest/body/parse-json.ts'
import type { ClusterClient } from './cluster-client.ts'
import { type ClusterTemplate, readTemplates, TEMPLATES_PATH } from './cluster-templates.ts'

/** What the domain knows of an index. */
export interface ClusterIndex {
  readonly aliases: readonly string[]
  /** Hidden ones are left out where a pattern excludes names. */
  readonly isHidden: boolean
  readonly isStream: boolean
  /** Names of the indices behind a data stream; it is judged with them, and they with it. */
  readonly behind: readonly string[]
  /** The data stream it belongs to. */
  readonly stream: string | undefined
  /** Ingest pipelines that its documents go through unasked. */
  readonly pipelines: readonly string[]
  /** The search pipeline that its searches go through unasked. */
  readonly searchPipeline: string | undefined
  /** The type that clients of 6.8 know its documents by, where that is remembered. */
  readonly type: string | undefined
}

/** Names of a cluster at one moment. */
export interface ClusterState {
  readonly indices: ReadonlyMap<string, ClusterIndex>
  /** Indices and data streams by alias. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
  /** Definitions of ingest pipelines by id. */
  readonly pipelines: ReadonlyMap<string, unknown>
  /** Types that templates give indices to come, the template that wins first. */
  readonly templateTypes: readonly TemplateType[]
}

/** The type that indices of some names are made with. */
export interface TemplateType {
  readonly patterns: readonly string[]
  readonly type: string
}

/** Where the type of an index is remembered in its mapping's `_meta`. */
export const TYPE_MEMBER = 'chaja_type'

const INDEX_FILTER = [
  'aliases',
  'settings.index.hidden',
  'settings.index.default_pipeline',
  'settings.index.final_pipeline',
  'settings.index.search.default_pipeline',
  `mappings.*._meta.${TYPE_MEMBER}`,
  'state',
].map((member) => `metadata.indices.*.${member}`)

const TEMPLATE_FILTER = ['index_patterns', 'order', `mappings.*._meta.${TYPE_MEMBER}`].map(
  (member) => `metadata.templates.*.${member}`,
)

/** 6.8 tells the state's id with its version alone. */
const STATE_PATH = `/_cluster/state/version,metadata?filter_path=${['state_uuid', 'metadata.data_stream', 'metadata.ingest', ...INDEX_FILTER, ...TEMPLATE_FILTER].join(',')}`
const VERSION_PATH = '/_cluster/state/version?filter_path=state_uuid'

interface StateJson {
  readonly state_uuid?: string
  readonly metadata?: {
    readonly indices?: Readonly<Record<string, IndexJson>>
    readonly data_stream?: {
      readonly data_stream?: Readonly<Record<string, { readonly indices?: readonly { readonly index_name: string }[] }>>
      readonly data_stream_aliases?: Readonly<Record<string, { readonly data_streams?: readonly string[] }>>
    }
    readonly templates?: Readonly<Record<string, TemplateJson>>
    readonly ingest?: { readonly pipeline?: readonly { readonly id: string; readonly config: unknown }[] }
  }
}

interface IndexJson {
  readonly aliases?: readonly string[]
  readonly settings?: { readonly index?: Readonly<Record<string, unknown>> }
  readonly mappings?: MappingsJson
}

interface TemplateJson {
  readonly index_patterns?: readonly string[]
  readonly order?: number
  readonly mappings?: MappingsJson
}

type MappingsJson = Readonly<Record<string, { readonly _meta?: Readonly<Record<string, unknown>> }>>

/** Reads the cluster's state, anew only when it has changed. */
export class ClusterStateReader {
  readonly #client: ClusterClient
  #uuid: string | undefined
  #state: ClusterState = {
    indices: new Map(),
    groups: new Map(),
    pipelines: new Map(),
    templateTypes: [],
  }
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<ClusterState> | undefined
  #next: Promise<ClusterState> | undefined

  constructor(client: ClusterClient) {
    this.#client = client
  }

  /**
   * The state as it is now: asked for after the call, by one question for all who ask meanwhile.
   *
   * @throws {ServiceError} 503
   */
  current(): Promise<ClusterState> {
    // A question under way may have been answered before this call: what is wanted is the one after it.
    this.#next ??= (this.#reading ?? Promise.resolve())
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        const reading = this.#read().finally(() => {
          if (this.#reading === reading) this.#reading = undefined
        })
        this.#reading = reading
        this.#next = undefined
        return reading
      })
    return this.#next
  }

  /** The state as it was at most so long ago: for what may be a little behind. @throws {ServiceError} 503 */
  recent(maxAgeMs: number): Promise<ClusterState> | ClusterState {
    return performance.now() - this.#readAt <= maxAgeMs ? this.#state : this.current()
  }

  /** The templates as they are now. @throws {ServiceError} 503 */
  async templates(): Promise<readonly ClusterTemplate[]> {
    return readTemplates((await this.#ask(TEMPLATES_PATH)) as JsonValue)
  }

  /** The state as it was read last. */
  get latest(): ClusterState {
    return this.#state
  }

  /** Forgets what was read, after a change that has to be seen. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #read(): Promise<ClusterState> {
    const startedAt = performance.now()
    if (this.#uuid !== undefined) {
      const { state_uuid: uuid } = await this.#ask(VERSION_PATH)
      if (uuid === this.#uuid) {
        this.#readAt = startedAt
        return this.#state
      }
    }
    const json = await this.#ask(STATE_PATH)
    this.#state = readState(json)
    this.#uuid = json.state_uuid
    this.#readAt = startedAt
    return this.#state
  }

  async #ask(path: string): Promise<StateJson> {
    const { status, json } = await this.#client.json('GET', path)
    if (status !== 200) {
      throw new ServiceError(
        'no_node_available_exception',
        `the cluster does not tell its state: it answers with status ${status}`,
      )
    }
    // What tells no state, a proxy's page in JSON perhaps, would look like a cluster without indices.
    if (typeof (json as StateJson | undefined)?.state_uuid !== 'string') {
      throw new ServiceError('no_node_available_exception', 'what the cluster answers when asked for its state is none')
    }
    return json as StateJson
  }
}

/** The type that mappings remember. */
function typeOf(mappings: MappingsJson | undefined): string | undefined {
  const type = Object.values(mappings ?? {})[0]?._meta?.[TYPE_MEMBER]
  return typeof type === 'string' ? type : undefined
}

function templateTypesOf(templates: Readonly<Record<string, TemplateJson>>): TemplateType[] {
  return Object.values(templates)
    .sort((a, b) => (b.order ?? 0) - (a.order ?? 0))
    .flatMap(({ index_patterns: patterns = [], mappings }) => {
      const type = typeOf(mappings)
      return type === undefined ? [] : [{ patterns, type }]
    })
}

function searchPipelineOf(search: unknown): string | undefined {
  const name = isObject(search) ? search['default_pipeline'] : undefined
  return typeof name === 'string' && name !== '_none' ? name : undefined
}

function readState({ metadata = {} }: StateJson): ClusterState {
  const groups = new Map<string, Set<string>>()
  const add = (group: string, index: string) => groups.set(group, (groups.get(group) ?? new Set()).add(index))
  const indices = new Map<string, ClusterIndex>()
  for (const [name, { aliases = [], settings, mappings }] of Object.entries(metadata.indices ?? {})) {
    for (const alias of aliases) add(alias, name)
    const { hidden, default_pipeline, final_pipeline } = settings?.index ?? {}
    indices.set(name, {
      aliases,
      isHidden: String(hidden) === 'true' || name.startsWith('.'),
      isStream: false,
      behind: [],
      stream: undefined,
      pipelines: [default_pipeline, final_pipeline].filter(
        (id) => typeof id === 'string' && id !== '_none',
      ) as string[],
      searchPipeline: searchPipelineOf(settings?.index?.['search']),
      type: typeOf(mappings),
    })
  }
  for (const [stream, { indices: members = [] }] of Object.entries(metadata.data_stream?.data_stream ?? {})) {
    const behind = members.flatMap(({ index_name: name }) => {
      const index = indices.get(name)
      if (index !== undefined) indices.set(name, { ...index, stream })
      return index?.pipelines ?? []
    })
    const isHidden = stream.startsWith('.')
    indices.set(stream, {
      aliases: [],
      isHidden,
      isStream: true,
      behind: members.map((member) => member.index_name),
      stream: undefined,
      pipelines: behind,
      searchPipeline: undefined,
      type: undefined,
    })
  }
  for (const [alias, { data_streams: members = [] }] of Object.entries(
    metadata.data_stream?.data_stream_aliases ?? {},
  )) {
    for (const stream of members) add(alias, stream)
  }
  const pipelines = new Map((metadata.ingest?.pipeline ?? []).map(({ id, config }) => [id, config]))
  return { indices, groups, pipelines, templateTypes: templateTypesOf(metadata.templates ?? {}) }
}
