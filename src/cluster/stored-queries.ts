import type { JsonValue } from '../rest/body/parse-json.ts'
import type { ClusterClient } from './cluster-client.ts'
import type { ClusterState } from './cluster-state.ts'

/** The type of fields that hold queries, as it stands in mappings. */
const TYPE = '"percolator"'

const TEMPLATES_PATH = `/_cluster/state/metadata?filter_path=${[
  'metadata.templates.*.mappings',
  'metadata.index_template.*.*.template.mappings',
  'metadata.component_template.*.*.template.mappings',
].join(',')}`

/** Whether a body defines fields that hold queries. */
export function definesQueries(body: JsonValue | undefined): boolean {
  return (
    body !== undefined && JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? 0 : value)).includes(TYPE)
  )
}

/** Tells which indices may hold queries to percolate with: what these look up is looked up when they are written. */
export class StoredQueries {
  readonly #client: ClusterClient
  /** By what mappings were at the time. */
  readonly #known = new WeakMap<ClusterState, Map<string, Promise<boolean>>>()

  constructor(client: ClusterClient) {
    this.#client = client
  }

  /** @param target  an index, alias or pattern; one that is not there yet gets what a template gives it */
  mayBeIn(target: string, state: ClusterState): Promise<boolean> {
    const known = this.#known.get(state) ?? new Map<string, Promise<boolean>>()
    this.#known.set(state, known)
    const asked = known.get(target) ?? this.#ask(target)
    known.set(target, asked)
    asked.catch(() => known.delete(target))
    return asked
  }

  async #ask(target: string): Promise<boolean> {
    const { status, json } = await this.#client.json(
      'GET',
      `/${encodeURIComponent(target)}/_mapping?expand_wildcards=all&filter_path=**.type`,
    )
    if (status === 200) return JSON.stringify(json).includes(TYPE)
    if (status !== 404) return true
    const templates = await this.#client.json('GET', TEMPLATES_PATH)
    return templates.status !== 200 || JSON.stringify(templates.json).includes('percolator')
  }
}
