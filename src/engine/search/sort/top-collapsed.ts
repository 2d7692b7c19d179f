import { ServiceError } from '../../../errors.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { METADATA_FIELDS } from '../../mapping/metadata-fields.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { typeName } from '../queries/query-context.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import type { SortKey } from '../search-request.ts'
import type { SegmentSort, SortValue } from './segment-sort.ts'
import { compareSortValues, sortReader } from './sort-values.ts'

/** The best document of a group. */
export interface GroupHead {
  readonly doc: number
  readonly score: number
  readonly values: readonly SortValue[]
  /** What its group has in common; null: documents without a value. */
  readonly group: SortValue
}

const BY_SCORE: SortKey = { kind: 'score', order: 'desc' }

/**
 * The best document for each value of a field (`collapse`), by score or by sort keys: of the best groups only. As in Lucene a
 * document that comes behind the last of these is not asked for its group.
 */
export class TopCollapsed {
  readonly #keys: readonly SortKey[]
  readonly #size: number
  readonly #heads = new Map<SortValue, GroupHead>()
  /** The heads, first first. */
  readonly #ranked: GroupHead[] = []

  /**
   * @param keys  empty: by score
   * @param size  how many groups are wanted
   */
  constructor(keys: readonly SortKey[], size: number) {
    this.#keys = keys.length === 0 ? [BY_SCORE] : keys
    this.#size = size
  }

  /** Takes a batch of a segment; `base` is added to its document numbers. */
  addAll(
    docs: Int32Array,
    scores: Float32Array,
    count: number,
    base: number,
    sorts: readonly SegmentSort[],
    groups: SegmentSort,
  ): void {
    if (this.#size === 0) return
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const score = scores[i] as number
      const values = sorts.length === 0 ? [score] : sorts.map((sort) => sort.read(doc, score))
      const last = this.#ranked.length < this.#size ? undefined : (this.#ranked.at(-1) as GroupHead)
      // Of equals the first stays.
      if (last !== undefined && this.#compare(values, last.values) >= 0) continue
      const group = groups.read(doc, score)
      const head = this.#heads.get(group)
      if (head !== undefined && this.#compare(values, head.values) >= 0) continue
      const left = head ?? last
      if (left !== undefined) this.#remove(left)
      this.#insert({ doc: base + doc, score, values, group })
    }
  }

  /** Heads of groups, first first, from a rank on. */
  sorted(from: number): GroupHead[] {
    return this.#ranked.slice(from)
  }

  #insert(head: GroupHead): void {
    this.#heads.set(head.group, head)
    // Documents come in order: of equals the last is behind.
    this.#ranked.splice(this.#behind(head.values), 0, head)
  }

  #remove(head: GroupHead): void {
    this.#heads.delete(head.group)
    let at = this.#behind(head.values) - 1
    while (this.#ranked[at] !== head) at--
    this.#ranked.splice(at, 1)
  }

  /** How many heads come before values, or are their equals. */
  #behind(values: readonly SortValue[]): number {
    let low = 0
    let high = this.#ranked.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare((this.#ranked[middle] as GroupHead).values, values) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(a: readonly SortValue[], b: readonly SortValue[]): number {
    for (const [i, key] of this.#keys.entries()) {
      const order = compareSortValues(a[i] as SortValue, b[i] as SortValue, key)
      if (order !== 0) return order
    }
    return 0
  }
}

/**
 * Reads the value a document is grouped by.
 *
 * @throws {ServiceError} illegal_argument_exception for fields that cannot be grouped by
 */
export function groupReader(path: string, searcher: IndexSearcher, isLucene7: boolean): (leaf: Leaf) => SegmentSort {
  const field = searcher.mapping.field(path)
  const fail = (reason: string): ServiceError =>
    new ServiceError(isLucene7 ? 'search_context_exception' : 'illegal_argument_exception', reason, {
      inQueryPhase: true,
    })
  // Those two count as not there at all.
  const isMetadata =
    !knowsNoField(searcher.mapping, path) &&
    METADATA_FIELDS[searcher.mapping.engineVersion].has(path) &&
    path !== '_all' &&
    path !== '_type'
  if (field === undefined && !isMetadata) throw fail(`no mapping found for \`${path}\` in order to collapse on`)
  const isNumber = field?.kind === 'number' && field.type !== 'scaled_float'
  if (field === undefined || isMetadata || (typeName(field) !== 'keyword' && !isNumber)) {
    throw fail(`unknown type for collapse field \`${path}\`, only keywords and numbers are accepted`)
  }
  if (!field.docValues) throw fail(`cannot collapse on field \`${path}\` without \`doc_values\``)
  const open = sortReader({ kind: 'field', field: path, order: 'asc', missing: '_last' }, searcher, isLucene7)
  return (leaf) => {
    const column = leaf.segment.field(field.path)?.docValues
    const { read } = open(leaf)
    const offsets = column?.offsets
    const requireOne = (doc: number): void => {
      if (offsets === undefined || (offsets[doc + 1] as number) - (offsets[doc] as number) <= 1) return
      throw faultInQueryPhase(
        'illegal_state_exception',
        `failed to collapse ${doc}, the collapse field must be single valued`,
      )
    }
    const isPresent = (doc: number): boolean =>
      column !== undefined &&
      (column.present === undefined || ((column.present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0)
    const readOne = (doc: number, score: number): SortValue => {
      if (!isPresent(doc)) return null
      requireOne(doc)
      return read(doc, score)
    }
    return { read: readOne, before: () => undefined }
  }
}
