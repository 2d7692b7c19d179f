import type { EngineVersion } from '../../engine-version.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import { liveDocuments } from '../live-documents.ts'
import { emptyBits, nextBit, setBit } from './bit-set.ts'
import { DocSetBulkScorer, docSetScorer } from './constant-score.ts'
import { bitsDocSet, type DocSet, docSetIterator, NO_DOCS } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { JoinMatches, type JoinRules } from './join-matches.ts'
import { type JoinOrdinals, joinOrdinals, namedDocuments } from './join-ordinals.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import { ScoredDocs } from './scored-docs.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** Which documents a join leads to, and how. */
export interface OrdinalsJoin extends JoinRules {
  /** The field with the ids that both sides have. */
  readonly idPath: string
  /** The join field, and the names of the documents that it leads to. */
  readonly namePath: string
  readonly names: readonly string[]
  /** Whose words tell of it. */
  readonly engineVersion: EngineVersion
}

/** Numbers of views: what is found depends on all of one, not on a segment alone. */
const viewIds = new WeakMap<object, number>()
let lastViewId = 0

/** Documents that have an id in common with those a query finds: GlobalOrdinalsQuery, or GlobalOrdinalsWithScoreQuery. */
export class OrdinalsJoinQuery extends LuceneQuery {
  readonly from: LuceneQuery
  readonly join: OrdinalsJoin
  readonly #segments: readonly SegmentReader[]
  /** Before it is rewritten the real servers know the field alone. */
  readonly #isRewritten: boolean

  constructor(from: LuceneQuery, join: OrdinalsJoin, segments: readonly SegmentReader[], isRewritten = false) {
    super()
    this.from = from
    this.join = join
    this.#segments = segments
    this.#isRewritten = isRewritten
  }

  toString(): string {
    const { idPath, scoreMode, min, max, engineVersion } = this.join
    if (!this.#isRewritten) return `LateParsingQuery {joinField=${idPath}}`
    if (scoreMode === 'none' && engineVersion !== 'Elasticsearch_7.10')
      return `GlobalOrdinalsQuery{joinField=${idPath}}`
    const comma = engineVersion === 'OpenSearch_2.19' ? ',' : ''
    return `GlobalOrdinalsQuery{joinField=${idPath}${comma}min=${min}${comma}max=${max}${comma}fromQuery=${this.from}}`
  }

  override get key(): string {
    const id = viewIds.get(this.#segments) ?? ++lastViewId
    viewIds.set(this.#segments, id)
    return `OrdinalsJoinQuery:${id}:${JSON.stringify(this.join)}:${this.from.key}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const from = this.from.rewrite(context)
    return from === this.from && this.#isRewritten ? this : new OrdinalsJoinQuery(from, this.join, this.#segments, true)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new OrdinalsJoinWeight(this, context, boost, needsScores)
  }
}

class OrdinalsJoinWeight extends Weight {
  readonly #join: OrdinalsJoin
  readonly #context: SearchContext
  readonly #from: Weight
  readonly #boost: number
  readonly #isScored: boolean
  /** Whether only ids matter, neither scores nor numbers of documents. */
  readonly #isPlain: boolean
  readonly #sets: DocSet[] = []
  #found: JoinMatches | undefined
  #numbers: JoinOrdinals | undefined

  constructor(query: OrdinalsJoinQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    const { join } = query
    this.#join = join
    this.#context = context
    this.#isScored = needsScores && join.scoreMode !== 'none'
    this.#from = weigh(query.from, context, 1, this.#isScored)
    // Lucene 7 forgets the boost where it keeps scores, or counts; 8.7 wherever.
    this.#isPlain = join.scoreMode === 'none' && join.min <= (context.isLucene7 ? 0 : 1) && join.max === 0x7fffffff
    const isForgotten = context.engineVersion === 'Elasticsearch_7.10' || (context.isLucene7 && !this.#isPlain)
    this.#boost = isForgotten ? 1 : boost
  }

  override get constantScore(): number | undefined {
    return this.#isScored ? undefined : this.#boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const set = this.docSet(leaf)
    const column = this.#ordinals.columns[leaf.ord]
    if (set.count === 0 || column === undefined) return undefined
    if (!this.#isScored) return docSetScorer(set, this.#boost)
    const matches = this.#matches
    const score = (doc: number): number => Math.fround(matches.score(column.ordinal(doc)) * this.#boost)
    return new ScoredDocs(docSetIterator(set), score)
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    if (this.#isScored) return super.bulkScorer(leaf)
    const set = this.docSet(leaf)
    return set.count === 0 ? undefined : new DocSetBulkScorer(set, this.#boost)
  }

  override count(leaf: Leaf): number {
    return this.docSet(leaf).count
  }

  override docSet(leaf: Leaf): DocSet {
    let set = this.#sets[leaf.ord]
    if (set === undefined) {
      set = this.#joined(leaf)
      this.#sets[leaf.ord] = set
    }
    return set
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const ordinal = this.#ordinals.columns[leaf.ord]?.ordinal(doc) ?? -1
    if (ordinal < 0) return explainNoMatch('Not a match')
    const value = `join value ${this.#ordinals.text(ordinal)}`
    if (!this.#matches.has(ordinal)) return explainNoMatch(`Not a match, ${value}`)
    const score = this.#isScored ? this.#matches.score(ordinal) : 1
    const boost = this.#isPlain || this.#boost === 1 ? '' : `^${javaFloat(this.#boost)}`
    return explainMatch(Math.fround(score * this.#boost), `A match, ${value}${boost}`)
  }

  /** Documents of a segment that bear the names, and an id that was found. */
  #joined({ segment, ord }: Leaf): DocSet {
    const { namePath, names } = this.#join
    const column = this.#ordinals.columns[ord]
    const candidates = column === undefined ? undefined : namedDocuments(segment, namePath, names)
    if (column === undefined || candidates === undefined) return NO_DOCS
    const matches = this.#matches
    const bits = emptyBits(segment.maxDoc)
    for (let doc = nextBit(candidates, 0); doc >= 0; doc = nextBit(candidates, doc + 1)) {
      const ordinal = column.ordinal(doc)
      if (ordinal >= 0 && matches.has(ordinal)) setBit(bits, doc)
    }
    return bitsDocSet(bits)
  }

  get #ordinals(): JoinOrdinals {
    this.#numbers ??= joinOrdinals(this.#context.searcher.segments, this.#join.idPath)
    return this.#numbers
  }

  /** What the query on the other side finds in all segments: found out when somebody asks. */
  get #matches(): JoinMatches {
    if (this.#found !== undefined) return this.#found
    const ordinals = this.#ordinals
    const { watch, leaves } = this.#context
    const matches = new JoinMatches(ordinals, this.#join, this.#isScored)
    for (const leaf of leaves) {
      const column = ordinals.columns[leaf.ord]
      if (column === undefined) continue
      this.#from.bulkScorer(leaf)?.score((docs, scores, count) => {
        matches.add(column, docs, scores, count)
        watch?.turn()
        return true
      }, liveDocuments(leaf.segment))
    }
    this.#found = matches
    return matches
  }
}
