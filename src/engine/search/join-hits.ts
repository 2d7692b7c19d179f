import { append } from '../algorithms/long-lists.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { type JoinParent, joinParentOf } from '../mapping/types/join-field.ts'
import { liveDocuments } from './live-documents.ts'
import { type BitSet, hasBit } from './lucene/bit-set.ts'
import { namedDocuments } from './lucene/join-ordinals.ts'
import type { Leaf } from './lucene/leaf.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Weight } from './lucene/weight.ts'
import { createQuery } from './queries/create-query.ts'
import type { HasChildQuery, HasParentQuery } from './queries/query.ts'
import type { ScoredHit } from './search-request.ts'

/** A child or the parent of a hit. */
export interface JoinedHit {
  readonly segment: number
  readonly doc: number
  readonly score: number
}

/** What finding children and parents takes. */
export interface JoinHitsOptions {
  readonly engineVersion: EngineVersion
  readonly now: number
  readonly needsScores: boolean
}

/**
 * Finds, hit by hit, the children of a `has_child` or the parent of a `has_parent` that match, in the order of their
 * numbers.
 */
export class JoinHits {
  readonly #query: HasChildQuery | HasParentQuery
  readonly #searcher: IndexSearcher
  readonly #context: SearchContext
  readonly #namePath: string
  readonly #parent: JoinParent | undefined
  readonly #needsScores: boolean
  #weight: Weight | undefined
  /** By segment: the documents that may be found, as far as that was asked. */
  readonly #children: (BitSet | undefined)[] = []

  private constructor(
    query: HasChildQuery | HasParentQuery,
    searcher: IndexSearcher,
    options: JoinHitsOptions,
    namePath: string,
  ) {
    this.#query = query
    this.#needsScores = options.needsScores
    this.#searcher = searcher
    this.#context = new SearchContext(searcher, options)
    this.#namePath = namePath
    const { join } = searcher.mapping
    if (join !== undefined)
      this.#parent = query.kind === 'has_child' ? joinParentOf(join, query.type) : join.parents.get(query.parentType)
  }

  /** Undefined: the index has no join field. */
  static of(
    query: HasChildQuery | HasParentQuery,
    searcher: IndexSearcher,
    options: JoinHitsOptions,
  ): JoinHits | undefined {
    const { join } = searcher.mapping
    return join === undefined ? undefined : new JoinHits(query, searcher, options, join.field.path)
  }

  /**
   * What belongs to a hit.
   *
   * @returns undefined where the hit has no part in the join
   * @throws {ServiceError} as a search with the query would
   */
  find({ segment, doc }: ScoredHit): readonly JoinedHit[] | undefined {
    const parent = this.#parent
    const reader = this.#searcher.segments[segment]
    if (parent === undefined || reader === undefined) return undefined
    if (this.#text(segment, doc, this.#namePath) === undefined) return undefined
    if (this.#query.kind === 'has_child') {
      return this.#matching(this.#childrenOf(this.#searcher.name(reader, doc).id, parent))
    }
    const id = this.#text(segment, doc, parent.idField.path)
    return id === undefined ? undefined : this.#matching(this.#searcher.locate(undefined, id))
  }

  /** Documents of the name whose parent has an id, by segment and document. */
  #childrenOf(id: string, { idField }: JoinParent): { readonly segment: number; readonly doc: number }[] {
    const states = this.#context.termStates(idField.path, Buffer.from(id))
    const found: { readonly segment: number; readonly doc: number }[] = []
    for (const [segment, reader] of this.#searcher.segments.entries()) {
      const ordinal = states.ordinals[segment] as number
      const terms = reader.field(idField.path)?.terms
      const named = this.#named(segment)
      if (ordinal < 0 || terms === undefined || named === undefined) continue
      const docs = new Int32Array(terms.docFreq(ordinal))
      terms.copyDocs(ordinal, docs, 0)
      for (const doc of docs) if (hasBit(named, doc)) found.push({ segment, doc })
    }
    return found
  }

  #named(segment: number): BitSet | undefined {
    if (!(segment in this.#children) && this.#query.kind === 'has_child') {
      const reader = this.#searcher.segments[segment]
      this.#children[segment] =
        reader === undefined ? undefined : namedDocuments(reader, this.#namePath, [this.#query.type])
    }
    return this.#children[segment]
  }

  #matching(candidates: readonly { readonly segment: number; readonly doc: number }[]): JoinedHit[] {
    this.#weight ??= createQuery(this.#query.query, this.#context).createWeight(this.#context, 1, this.#needsScores)
    const hits: JoinedHit[] = []
    for (const leaf of this.#context.leaves) {
      const docs = candidates.filter(({ segment }) => segment === leaf.ord)
      if (docs.length > 0) append(hits, matchingIn(leaf, this.#weight, docs))
    }
    return hits
  }

  #text(segment: number, doc: number, path: string): string | undefined {
    const column = this.#searcher.segments[segment]?.field(path)?.docValues
    if (column?.kind !== 'ordinal') return undefined
    const { values, present, offsets, dictionary } = column
    const at = offsets === undefined ? doc : (offsets[doc] as number)
    const isThere =
      offsets === undefined ? present === undefined || hasBit(present, doc) : at < (offsets[doc + 1] as number)
    return isThere ? dictionary.termText(values[at] as number) : undefined
  }
}

function* matchingIn(leaf: Leaf, weight: Weight, candidates: readonly { readonly doc: number }[]): Iterable<JoinedHit> {
  const scorer = weight.scorer(leaf)
  if (scorer === undefined) return
  const live = liveDocuments(leaf.segment)
  const iterator = scorer.twoPhase?.approximation ?? scorer
  for (const { doc } of candidates) {
    if (live !== undefined && !hasBit(live, doc)) continue
    if (iterator.doc < doc) iterator.advance(doc)
    if (iterator.doc === doc && (scorer.twoPhase?.matches() ?? true))
      yield { segment: leaf.ord, doc, score: scorer.score() }
  }
}
