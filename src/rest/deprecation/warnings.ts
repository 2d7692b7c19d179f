import type { EngineVersion } from '../../engine/engine-version.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { DEPRECATIONS, type Deprecation } from './deprecations.ts'

/** What OpenSearch says of a request, not of what it uses: however often. */
const OF_REQUESTS: ReadonlySet<Deprecation> = new Set(['newer_templates', 'older_templates'])

/** Deprecations that are the same to OpenSearch whatever their words. */
const SAME: ReadonlySet<Deprecation> = new Set(['dot_in_name', 'several_templates', 'chained_fields', 'order_key'])

/** Those that are the same where their first word is. */
const SAME_BY_NAME: ReadonlySet<Deprecation> = new Set(['useless_template'])

/** What indices say when they read a search: nothing where it fails before. */
const OF_INDICES: ReadonlySet<Deprecation> = new Set([
  'field_names',
  'filtered_should',
  'id_fielddata',
  'mapped_format',
  'no_format',
  'phrase_of_values',
  'type_field',
  'type_range',
  'uid_fielddata',
  'uid_slices',
])

/** Beyond so many OpenSearch's memory of what it has told is begun anew; callers choose `X-Opaque-Id`. */
const MAX_TOLD = 16_384

/** What warnings of all requests have in common: one for each backend. */
export class DeprecationLog {
  readonly engineVersion: EngineVersion
  /** `299 <product>-<version>-<build>`. */
  readonly agent: string
  /** OpenSearch tells a caller of each deprecation once; undefined: every request is told. */
  readonly #told: Set<string> | undefined

  constructor({ engineVersion, version }: Dialect) {
    this.engineVersion = engineVersion
    const isOpenSearch = version['distribution'] === 'opensearch'
    this.agent = `299 ${isOpenSearch ? 'OpenSearch' : 'Elasticsearch'}-${version['number']}-${version['build_hash']}`
    this.#told = isOpenSearch ? new Set() : undefined
  }

  /** Whether a caller is still to be told of it. */
  isNews(name: Deprecation, words: readonly string[], opaqueId: string | undefined): boolean {
    if (this.#told === undefined || OF_REQUESTS.has(name)) return true
    const counted = SAME.has(name) ? [] : SAME_BY_NAME.has(name) ? words.slice(0, 1) : words
    const key = [name, opaqueId, ...counted].join(' ')
    if (this.#told.has(key)) return false
    if (this.#told.size >= MAX_TOLD) this.#told.clear()
    this.#told.add(key)
    return true
  }
}

/** What a request uses that is deprecated: sent as `Warning` headers of its answer, whether it succeeds or not. */
export class Warnings {
  readonly #log: DeprecationLog
  readonly #opaqueId: string | undefined
  /** Made with the first: most requests have none. */
  #texts: Set<string> | undefined
  /** Those of {@link OF_INDICES}. */
  #ofIndices: Set<string> | undefined

  constructor(log: DeprecationLog, opaqueId: string | undefined) {
    this.#log = log
    this.#opaqueId = opaqueId
  }

  /** Notes something deprecated, where this version minds it. @param words  for the `{}` of its text */
  note(name: Deprecation, ...words: readonly string[]): void {
    this.#note(name, words, OF_INDICES.has(name))
  }

  /** The same of what is deprecated wherever it stands, here where indices find it. */
  noteOfIndices(name: Deprecation, ...words: readonly string[]): void {
    this.#note(name, words, true)
  }

  #note(name: Deprecation, words: readonly string[], isOfIndices: boolean): void {
    const text = (DEPRECATIONS[name] as { readonly [version in EngineVersion]?: string })[this.#log.engineVersion]
    if (text === undefined || !this.#log.isNews(name, words, this.#opaqueId)) return
    this.#texts ??= new Set()
    let next = 0
    const said = words.length === 0 ? text : text.replaceAll('{}', () => words[next++] ?? '')
    // What was said of the request already is not the indices' alone.
    if (this.#texts.has(said)) return
    this.#texts.add(said)
    if (!isOfIndices) return
    this.#ofIndices ??= new Set()
    this.#ofIndices.add(said)
  }

  /** How much was noted until now. */
  get size(): number {
    return this.#texts?.size ?? 0
  }

  /** Takes back what indices would have said of a search. @param since  {@link size} before it was read */
  takeBackOfIndices(since: number): void {
    if (this.#ofIndices === undefined) return
    const ofIndices = this.#ofIndices
    this.#texts = new Set([...(this.#texts ?? [])].filter((text, i) => i < since || !ofIndices.has(text)))
  }

  /** Runs something whose notes nobody is told. */
  unheard<T>(run: () => T): T {
    const texts = this.#texts
    this.#texts = new Set(texts)
    try {
      return run()
    } finally {
      this.#texts = texts
    }
  }

  /** The headers' values; undefined when there is nothing to warn of. */
  get headers(): string[] | undefined {
    if (this.#texts === undefined || this.#texts.size === 0) return undefined
    return [...this.#texts].map((text) => `${this.#log.agent} "${quoted(text)}"`)
  }
}

/** What a quoted string of a header cannot hold, and `%`. */
const UNQUOTABLE = /[^\t -$&-~\u0080-\u00ff]+/g

/** A text as a quoted string of a header, parts of it percent-encoded. */
function quoted(text: string): string {
  return text
    .replace(/["\\]/g, '\\$&')
    .replace(UNQUOTABLE, (part) =>
      [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )
}
