import { append } from '../../algorithms/long-lists.ts'
import { type EngineVersion, packageOf } from '../../engine-version.ts'
import { parseSource } from '../../index/parse-source.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { typeName } from '../../search/queries/query-context.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, SignificantTermsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketHash } from '../bucket-hash.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import { CountsByIndex } from '../counts-by-index.ts'
import type { DocBatch } from '../doc-batch.ts'
import { DuplicateSpotter } from './duplicate-spotter.ts'
import { type IncludeExclude, patternTest } from './include-exclude.ts'
import { Background, chooseSignificant, type SignificantThresholds } from './significant-buckets.ts'

/** `significant_text`: words of texts, analyzed again from their sources, that are more frequent in a set than elsewhere. */
export interface SignificantTextDefinition extends SignificantThresholds {
  readonly kind: 'significant_text'
  readonly field: string
  /** Members of the source to read; undefined: the field itself. */
  readonly sourceFields: readonly string[] | undefined
  /** Passages that were in an earlier document do not count. */
  readonly filtersDuplicates: boolean
  readonly filter: IncludeExclude | undefined
}

/** Words more frequent in what a search finds than elsewhere, by analyzing the sources anew. */
export class SignificantTextAggregator extends BucketAggregator {
  readonly #definition: SignificantTextDefinition
  readonly #context: AggregationContext
  readonly #name: string
  /** By searcher. */
  readonly #fields: readonly (FieldMapping | undefined)[]
  readonly #accepts: (term: string) => boolean
  readonly #terms: string[] = []
  readonly #ordinals = new Map<string, number>()
  readonly #hash = new BucketHash()
  readonly #subsetSizes = new BucketDoubles()
  /** The same of each index, and of the terms; of one index they are the whole. */
  readonly #sizesByIndex = new CountsByIndex()
  readonly #countsByIndex = new CountsByIndex()
  readonly #isEverywhere: boolean
  readonly #background: Background
  readonly #spotter: DuplicateSpotter | undefined
  #scope: SegmentScope | undefined

  constructor(
    definition: SignificantTextDefinition,
    context: AggregationContext,
    options: { readonly name: string; readonly children: readonly NamedAggregator[]; readonly isEverywhere: boolean },
  ) {
    super(options.children)
    this.#definition = definition
    this.#context = context
    const { engineVersion } = context
    this.#fields = context.searchers.map(({ mapping }) => mapping.field(definition.field))
    const isLacking = (field: FieldMapping | undefined): boolean =>
      field === undefined ? UNANALYZED.has(definition.field) : field.derived !== undefined || !isAnalyzed(field)
    if (engineVersion !== 'Elasticsearch_6.8' && this.#fields.some(isLacking))
      throw illegalInQueryPhase(
        `Field [${definition.field}] has no analyzer, but SignificantText requires an analyzed field`,
      )
    this.#name = options.name
    this.#accepts = termTest(definition.filter, context)
    this.#isEverywhere = options.isEverywhere
    this.#background = new Background(context, definition.background)
    this.#spotter = definition.filtersDuplicates ? new DuplicateSpotter() : undefined
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    if (segment.searcherOrdinal !== this.#scope?.searcherOrdinal) this.#endIndex()
    this.#scope = segment
  }

  override finishIndex(): void {
    super.finishIndex()
    this.#endIndex()
  }

  collect(batch: DocBatch): void {
    this.#requireField()
    const { docs, buckets, scores, count } = batch
    const sizes = this.#subsetSizes.ensure(batch.bucketCount)
    const out = this.begin()
    let last = -1
    let terms: readonly number[] = []
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const bucket = buckets[i] as number
      sizes[bucket]!++
      if (doc !== last) terms = this.#termsOf(doc)
      last = doc
      for (const term of terms)
        out.push(doc, this.#hash.add(bucket, term), scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(this.#hash.size)
  }

  build(parent: number): SignificantTermsResult {
    const hash = this.#hash
    const background = this.#background
    const isOnly = this.#fields.length === 1
    const sizeIn = (index: number): number =>
      isOnly ? this.#subsetSizes.get(parent) : this.#sizesByIndex.get(index, parent)
    const indices = [...this.#fields.keys()].filter(
      (index) => isOnly || this.#isEverywhere || parent < 0 || sizeIn(index) > 0,
    )
    const term = (bucket: number): string => this.#terms[hash.keys[bucket] as number] as string
    const { chosen, subsetSize, supersetSize } = chooseSignificant(hash.ofParent(parent), this.#definition, {
      indices,
      subsetSize: sizeIn,
      background,
      count: (index, bucket) => (isOnly ? this.docCount(bucket) : this.#countsByIndex.get(index, bucket)),
      keyText: term,
      backgroundCount: (index, bucket) => this.#backgroundCount(index, term(bucket)),
    })
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map(({ bucket, score, docCount, backgroundCount }): BucketResult => {
      const key = term(bucket)
      return { key, name: key, docCount, score, bgCount: backgroundCount, aggregations: this.buildChildren(bucket) }
    })
    return {
      kind: 'significant_terms',
      type: 'sigsterms',
      docCount: subsetSize,
      bgCount: parent < 0 ? indices.reduce((sum, index) => sum + background.wholeSize(index), 0) : supersetSize,
      buckets,
    }
  }

  /** The field is looked for with the first document. @throws {ServiceError} illegal_argument_exception, null_pointer_exception */
  #requireField(): void {
    const { field } = this.#definition
    if (field.startsWith('_') || this.#fields[this.#scope?.searcherOrdinal ?? 0] !== undefined) return
    const { engineVersion } = this.#context
    if (engineVersion === 'Elasticsearch_6.8')
      throw illegalInQueryPhase(`Aggregation [${this.#name}] cannot process field [${field}] since it is not present`)
    const type = `${packageOf(engineVersion)}.index.mapper.MappedFieldType`
    const factory = `${packageOf(engineVersion)}.search.aggregations.bucket.terms.SignificantTextAggregatorFactory$SignificantTextCollectorSource`
    const missing =
      engineVersion === 'OpenSearch_2.19'
        ? '"this.this$0.fieldType" is null'
        : `the return value of "${factory}.access$400(${factory})" is null`
    throw faultInQueryPhase('null_pointer_exception', `Cannot invoke "${type}.indexAnalyzer()" because ${missing}`)
  }

  #backgroundCount(index: number, term: string): number {
    const { field } = this.#definition
    return this.#fields[index]?.kind === 'text'
      ? this.#background.ofTerm(index, field, Buffer.from(term))
      : this.#background.ofQuery(index, { kind: 'term', field, value: term })
  }

  #endIndex(): void {
    if (this.#fields.length === 1 || this.#scope === undefined) return
    this.#sizesByIndex.end(this.#scope.searcherOrdinal, this.#subsetSizes)
    this.#countsByIndex.end(this.#scope.searcherOrdinal, this.counts)
  }

  /** Different terms of a document's texts, numbered. */
  #termsOf(doc: number): readonly number[] {
    const { reader, searcher, searcherOrdinal } = this.#scope as SegmentScope
    const field = this.#fields[searcherOrdinal]
    const { source } = searcher.document(reader, doc)
    if (field === undefined || source === undefined) return []
    const json = parseSource(source)
    const found = new Set<number>()
    this.#spotter?.startDocument()
    for (const path of this.#definition.sourceFields ?? [field.path]) {
      for (const value of valuesAt(json, path.split('.'))) {
        const terms = termsOf(String(value), field, this.#context.engineVersion)
        for (const term of this.#spotter?.fresh(terms) ?? terms) if (this.#accepts(term)) found.add(this.#ordinal(term))
      }
    }
    return [...found]
  }

  #ordinal(term: string): number {
    let ordinal = this.#ordinals.get(term)
    if (ordinal === undefined) {
      ordinal = this.#terms.push(term) - 1
      this.#ordinals.set(term, ordinal)
    }
    return ordinal
  }
}

/** Scalars under a path of a JSON value, through arrays. */
function valuesAt(json: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(json)) return json.flatMap((one) => valuesAt(one, path))
  if (path.length === 0) return json === null || json === undefined || typeof json === 'object' ? [] : [json]
  if (typeof json !== 'object' || json === null) return []
  const object = json as Readonly<Record<string, unknown>>
  const found: unknown[] = []
  // A name may hold dots itself.
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.')
    if (Object.hasOwn(object, name)) append(found, valuesAt(object[name], path.slice(length)))
  }
  return found
}

function termTest(filter: IncludeExclude | undefined, context: AggregationContext): (term: string) => boolean {
  if (filter === undefined) return () => true
  const { include, exclude } = filter
  if (typeof include === 'string' || typeof exclude === 'string') return patternTest(include, exclude, context)
  const included = include && new Set(include.map(String))
  const excluded = exclude && new Set(exclude.map(String))
  return (term) => (included?.has(term) ?? true) && !(excluded?.has(term) ?? false)
}

/** The metadata fields without an analyzer even in name (7.x). */
const UNANALYZED: ReadonlySet<string> = new Set(['_source', '_index', '_seq_no', '_version', '_field_names'])

/** Whether a field's values have an analyzer, if only in name (7.x). */
function isAnalyzed(field: FieldMapping): boolean {
  if (field.kind === 'text' || field.kind === 'number' || field.kind === 'range') return true
  return ['completion', 'keyword', 'wildcard', '_routing'].includes(typeName(field))
}

/** A text's terms: whatever is no text is one, which 6.x leaves as it is. */
function termsOf(text: string, field: FieldMapping, engineVersion: EngineVersion): readonly string[] {
  const normalizer = field.kind === 'keyword' && engineVersion !== 'Elasticsearch_6.8' ? field.normalizer : undefined
  const analyzer = field.kind === 'text' ? field.analyzer : normalizer
  if (analyzer === undefined) return [text]
  const { terms, length } = analyzer.analyze(text)
  return terms.slice(0, length)
}
