import { type GlobalOrdinals, globalOrdinals } from '../../index/global-ordinals.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { formatAddress } from '../../mapping/types/ip-address.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import { type MixedOrdinals, type MixedTerms, mixedOrdinals, shownOrdinals } from './mixed-ordinals.ts'
import type { OrdinalLeaf } from './ordinal-leaf.ts'
import { stringColumn } from './string-column.ts'
import type { StringColumn, TermList } from './string-terms.ts'
import { TermHashes } from './term-hashes.ts'
import type { StringSource, ValuesSource } from './values-source.ts'

/** A string field in one segment. */
export interface StringLeaf extends OrdinalLeaf {
  readonly column: StringColumn | undefined
}

const hashes = new WeakMap<GlobalOrdinals, TermHashes>()

/** How strings are numbered. */
interface Numbering {
  /** False: what numbers the terms of several segments is let go afterwards. */
  readonly keepsOrdinals?: boolean
  /**
   * How addresses stand beside words of other indices: `together` where they look the same, `apart` whatever they look like;
   * else all are read as addresses.
   */
  readonly beside?: 'together' | 'apart'
}

/** The strings of a field over all segments of all indices of a search, numbered in byte order. */
export class StringInput {
  /** Whether all terms are addresses. */
  readonly isIp: boolean
  readonly #ordinals: GlobalOrdinals
  /** Undefined unless addresses stand apart from words. */
  readonly #mixed: MixedOrdinals | undefined
  readonly #leaves = new Map<SegmentReader, StringLeaf>()

  /**
   * @param sources  by searcher, those that are not strings count as unmapped
   */
  constructor(context: AggregationContext, sources: readonly ValuesSource[], numbering: Numbering = {}) {
    const { keepsOrdinals = true, beside } = numbering
    const strings = sources.map((source) => (source.kind === 'string' ? source : undefined))
    const hasAddresses = strings.some((source) => source?.isIp === true)
    const isMixed = hasAddresses && beside !== undefined && strings.some((source) => source?.isIp === false)
    this.isIp = hasAddresses && !isMixed
    const entries: { reader: SegmentReader; column: StringColumn | undefined; source: StringSource }[] = []
    context.searchers.forEach((searcher, searcherOrdinal) => {
      const source = strings[searcherOrdinal]
      if (source === undefined) return
      searcher.segments.forEach((reader, segmentOrdinal) => {
        const column = stringColumn({ reader, searcher, searcherOrdinal, segmentOrdinal }, source.path)
        entries.push({ reader, column, source })
      })
    })
    const lists: MixedTerms[] = []
    for (const { column, source } of entries)
      if (column !== undefined) lists.push({ terms: column.terms, isIp: source.isIp })
    const standIn = entries.find(({ source }) => source.missing !== undefined)?.source
    const missingTerm = standIn?.missing
    // The stand-in for missing values is a term like any other: a list of its own joins the merge.
    if (missingTerm !== undefined) lists.push({ terms: oneTerm(missingTerm), isIp: standIn?.isIp === true })
    this.#mixed = isMixed && beside === 'apart' ? mixedOrdinals(lists) : undefined
    this.#ordinals =
      this.#mixed ??
      (isMixed
        ? shownOrdinals(lists)
        : globalOrdinals(
            lists.map(({ terms }) => terms),
            keepsOrdinals,
          ))
    const { maps } = this.#ordinals
    const missing = missingTerm === undefined ? -1 : (maps[lists.length - 1]?.[0] ?? 0)
    let at = 0
    for (const { reader, column, source } of entries) {
      const map = column === undefined ? undefined : maps[at]
      if (column !== undefined) at++
      this.#leaves.set(reader, { column, map, missing: source.missing === undefined ? -1 : missing })
    }
  }

  /** Number of terms. */
  get size(): number {
    return this.#ordinals.size
  }

  /** Whether no document has several terms. */
  get isSingle(): boolean {
    for (const { column } of this.#leaves.values()) if (column?.offsets !== undefined) return false
    return true
  }

  /**
   * Adds all documents of a segment without deletions to counts by global ordinal, by its terms' document frequencies.
   *
   * @returns false: that cannot be, so that documents must be looked at
   */
  countSegment(segment: SegmentScope, counts: Int32Array): boolean {
    const { column, map, missing } = this.leaf(segment)
    if (missing >= 0) return false
    if (column === undefined) return true
    const { dictionary } = column
    if (dictionary === undefined) return false
    for (let ordinal = 0; ordinal < dictionary.size; ordinal++)
      counts[map === undefined ? ordinal : (map[ordinal] as number)]! += dictionary.docFreq(ordinal)
    return true
  }

  leaf(segment: SegmentScope): StringLeaf {
    return this.#leaves.get(segment.reader) ?? { column: undefined, map: undefined, missing: -1 }
  }

  /** Whether a term is an address. */
  isAddress(ordinal: number): boolean {
    return this.#mixed?.isAddress(ordinal) ?? this.isIp
  }

  term(ordinal: number): Uint8Array {
    return this.#ordinals.term(ordinal)
  }

  /** Hashes of the terms, each computed when first asked for and kept as long as the ordinals. */
  hashes(): TermHashes {
    const ordinals = this.#ordinals
    let known = hashes.get(ordinals)
    if (known === undefined) {
      known = new TermHashes(ordinals.size, (ordinal, hash) => hash.ofBytes(ordinals.term(ordinal)))
      hashes.set(ordinals, known)
    }
    return known
  }

  /** A term as the answer shows it. */
  text(ordinal: number): string {
    return this.isIp ? formatAddress(this.#ordinals.term(ordinal)) : this.#ordinals.termText(ordinal)
  }
}

function oneTerm(term: Uint8Array): TermList {
  return { size: 1, term: () => term, termText: () => Buffer.from(term).toString() }
}
