import { ServiceError } from '../errors.ts'
import type { JsonValue } from '../rest/body/parse-json.ts'
import type { StoredPart } from '../rest/judge-stored.ts'
import type { ClusterClient } from './cluster-client.ts'
import { member, text } from './json-members.ts'

const PATH = `/_cluster/state/metadata?filter_path=${['stored_scripts', 'ingest.pipeline', 'search_pipeline']
  .map((name) => `metadata.${name}`)
  .join(',')}`

/** Where the pipelines of a section of the state are read. */
const PIPELINES = { ingest: '_ingest/pipeline', search_pipeline: '_search/pipeline' } as const

/** Texts that a cluster stores by names: scripts and templates, and those in pipelines. */
export class StoredTexts {
  readonly #parts: ReadonlyMap<string, readonly StoredPart[]>
  readonly #scripts: ReadonlySet<string>

  private constructor(parts: ReadonlyMap<string, readonly StoredPart[]>, scripts: ReadonlySet<string>) {
    this.#parts = parts
    this.#scripts = scripts
  }

  /** Reads them as they are now. @throws {ServiceError} 503 */
  static async read(client: ClusterClient): Promise<StoredTexts> {
    const { status, json } = await client.json('GET', PATH)
    if (status !== 200)
      throw new ServiceError('no_node_available_exception', `the cluster does not tell its state: status ${status}`)
    const metadata = member(json as JsonValue, 'metadata')
    const scripts = entries(member(metadata, 'stored_scripts'))
    const parts = new Map<string, StoredPart[]>()
    const add = (found: string, part: StoredPart) => parts.set(found, [...(parts.get(found) ?? []), part])
    for (const [name, { source }] of scripts) if (typeof source === 'string') add(source, { folder: '_scripts', name })
    for (const [section, folder] of Object.entries(PIPELINES)) {
      const pipelines = member(member(metadata, section), 'pipeline')
      for (const one of Array.isArray(pipelines) ? pipelines : [])
        for (const found of textsIn(member(one, 'config'))) add(found, { folder, name: text(member(one, 'id')) ?? '' })
    }
    return new StoredTexts(parts, new Set(scripts.map(([name]) => name)))
  }

  /** Where a text is stored: as a script, in a pipeline. */
  placesOf(text: string): readonly StoredPart[] {
    return this.#parts.get(text) ?? []
  }

  /** Whether a script is stored by a name. */
  isScript(name: string): boolean {
    return this.#scripts.has(name)
  }
}

function entries(value: JsonValue | undefined): [string, { readonly [name: string]: JsonValue }][] {
  return Object.entries((value ?? {}) as { [name: string]: { [name: string]: JsonValue } })
}

/** All texts that are values in a JSON value. */
export function textsIn(value: JsonValue | undefined): ReadonlySet<string> {
  const texts = new Set<string>()
  const walk = (one: JsonValue | undefined): void => {
    if (typeof one === 'string') texts.add(one)
    else if (typeof one === 'object' && one !== null) Object.values(one).forEach(walk)
  }
  walk(value)
  return texts
}
