import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { ClusterClient } from '../cluster-client.ts'
import { type ClusterState, type ClusterStateReader, TYPE_MEMBER } from '../cluster-state.ts'
import type { JsonObject } from '../json-members.ts'
import { isBeyondNames, resolveNames } from '../resolve-names.ts'

/** What is known of types may be so old; what is done through this domain is known at once. */
const MAX_AGE_MS = 1_000

/** A type that an index has from now on. */
export interface NewType {
  readonly index: string
  readonly type: string
}

/** The one type of each index, as clients of 6.8 know it: remembered in its mapping. */
export class IndexTypes {
  readonly #client: ClusterClient
  readonly #reader: ClusterStateReader
  #state: ClusterState

  constructor(client: ClusterClient, reader: ClusterStateReader) {
    this.#client = client
    this.#reader = reader
    this.#state = reader.latest
  }

  /** Sees to it that types are known, those of new names too. @throws {ServiceError} 503 */
  async prepare(names: readonly string[]): Promise<void> {
    this.#state = await this.#reader.recent(MAX_AGE_MS)
    const isNew = names.some((name) => !this.#state.indices.has(name) && !this.#state.groups.has(name))
    if (isNew && !names.every((name) => name.includes('*') || isBeyondNames(name)))
      this.#state = await this.#reader.current()
  }

  /** The type of an index; undefined when none is remembered. */
  typeOf(index: string): string | undefined {
    return this.#state.indices.get(index)?.type
  }

  /** The types remembered of all that a name or an expression stands for. */
  typesOf(expressions: readonly string[]): readonly string[] {
    const types = [...resolveNames(expressions, this.#state)].map((index) => this.typeOf(index))
    return [...new Set(types.filter((type) => type !== undefined))]
  }

  /** The type that documents written to an index are to have, where that is known: its own, or the one it will be made with. */
  writtenTypes(index: string): readonly string[] {
    const { indices, groups, templateTypes } = this.#state
    if (indices.has(index) || groups.has(index)) return this.typesOf([index])
    const made = templateTypes.find(({ patterns }) => patterns.some((pattern) => matchWildcard(pattern, index)))
    return made === undefined ? [] : [made.type]
  }

  /** Whether an expression stands for indices without a type that is remembered, or for nothing that is known. */
  hasUntyped(expressions: readonly string[]): boolean {
    const found = [...resolveNames(expressions, this.#state)]
    return found.length === 0 || found.some((index) => this.typeOf(index) === undefined)
  }

  /** Indices of an expression, apart by whether they may hold documents of these types. */
  split(
    expressions: readonly string[],
    types: readonly string[],
  ): { readonly matching: string[]; readonly others: string[] } {
    const matching: string[] = []
    const others: string[] = []
    for (const index of resolveNames(expressions, this.#state)) {
      const type = this.typeOf(index)
      const matches =
        type === undefined || types.some((wanted) => wanted === type || wanted === '_doc' || wanted === '_all')
      if (matches) matching.push(index)
      else others.push(index)
    }
    return { matching, others }
  }

  /** Forgets what is known, after a change. */
  forget(): void {
    this.#reader.forget()
  }

  /** Remembers types of indices that have none yet. @throws {ServiceError} 503 */
  async remember(types: readonly NewType[]): Promise<void> {
    for (const { index, type } of types) {
      const { status, json } = await this.#client.json('GET', `/${encodeURIComponent(index)}/_mapping`)
      const mappings = Object.entries((json ?? {}) as Readonly<Record<string, { readonly mappings?: JsonObject }>>)
      if (status !== 200) continue
      for (const [name, { mappings: mapping = {} }] of mappings) {
        const meta = isObject(mapping['_meta']) ? mapping['_meta'] : {}
        if (meta[TYPE_MEMBER] !== undefined) continue
        const path = `/${encodeURIComponent(name)}/_mapping`
        await this.#client.json('PUT', path, { _meta: { ...meta, [TYPE_MEMBER]: type } })
      }
    }
    if (types.length > 0) this.forget()
  }
}
