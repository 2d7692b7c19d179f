import type { SegmentReader } from '../../index/segment-reader.ts'
import { type BitSet, emptyBits, nextBit, previousBit, setBit } from '../../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleBucketResult } from '../aggregation-result.ts'
import type { NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { SingleBucketAggregator } from './single-bucket-aggregator.ts'

/** `nested`: the nested objects of a path inside the documents. */
export interface NestedDefinition {
  readonly kind: 'nested'
  readonly path: string
}

/** `reverse_nested`: the documents around nested objects. */
export interface ReverseNestedDefinition {
  readonly kind: 'reverse_nested'
  /** Undefined: the root documents. */
  readonly path: string | undefined
}

const pathBits = new WeakMap<object, Map<string, BitSet | undefined>>()

/** Nested documents of a path in a segment; roots for undefined. Undefined: no such documents (or all are roots). */
function documentsOf(reader: SegmentReader, path: string | undefined): BitSet | undefined {
  if (path === undefined) return reader.rootDocs
  let known = pathBits.get(reader.typeOrdinals)
  if (known === undefined) {
    known = new Map()
    pathBits.set(reader.typeOrdinals, known)
  }
  if (known.has(path)) return known.get(path)
  let bits: BitSet | undefined
  if (reader.rootDocs !== undefined) {
    for (let doc = 0; doc < reader.maxDoc; doc++) {
      if (reader.nestedPath(doc) !== path) continue
      bits ??= emptyBits(reader.maxDoc)
      setBit(bits, doc)
    }
  }
  known.set(path, bits)
  return bits
}

/** Steps from documents to the nested objects before them. */
export class NestedAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'nested'
  readonly #path: string
  readonly #outerPath: string | undefined
  /** Whether objects are those of the document around the one that comes in, which is not around them itself. */
  readonly #goesByRoots: boolean
  #children: BitSet | undefined
  #outer: BitSet | undefined
  /** Objects before it were handed on already. */
  #next = 0

  /** @param outerPath  nested path of the documents that come in; undefined: roots */
  constructor(
    definition: NestedDefinition,
    outerPath: string | undefined,
    { engineVersion }: AggregationContext,
    children: readonly NamedAggregator[],
  ) {
    super(children)
    this.#path = definition.path
    const isAround = outerPath === undefined || definition.path.startsWith(`${outerPath}.`)
    this.#goesByRoots = !isAround && engineVersion === 'OpenSearch_2.19'
    this.#outerPath = this.#goesByRoots ? undefined : outerPath
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#children = documentsOf(segment.reader, this.#path)
    this.#outer = documentsOf(segment.reader, this.#outerPath)
    this.#next = 0
  }

  collect(batch: DocBatch): void {
    const nested = this.#children
    const outer = this.#outer
    if (nested === undefined || outer === undefined) return
    if (this.#goesByRoots) this.#collectByRoots(batch, nested, outer)
    else this.#collectInside(batch, nested, outer)
    this.flush(batch.bucketCount)
  }

  /** Objects go to the document around them. */
  #collectInside({ docs, buckets, scores, count }: DocBatch, nested: BitSet, outer: BitSet): void {
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const before = doc === 0 ? -1 : previousBit(outer, doc - 1)
      for (let child = nextBit(nested, before + 1); child >= 0 && child < doc; child = nextBit(nested, child + 1)) {
        out.push(child, buckets[i] as number, scores === undefined ? 0 : (scores[i] as number))
      }
    }
  }

  /** All objects of a document go to the first of its objects that comes. */
  #collectByRoots({ docs, buckets, scores, count }: DocBatch, nested: BitSet, roots: BitSet): void {
    const out = this.begin()
    for (let from = 0, to = 0; from < count; from = to) {
      const doc = docs[from] as number
      while (to < count && docs[to] === doc) to++
      const root = nextBit(roots, doc)
      const before = root <= 0 ? -1 : previousBit(roots, root - 1)
      let child = nextBit(nested, Math.max(before + 1, this.#next))
      for (; child >= 0 && child < root; child = nextBit(nested, child + 1)) {
        for (let i = from; i < to; i++) {
          out.push(child, buckets[i] as number, scores === undefined ? 0 : (scores[i] as number))
        }
      }
      this.#next = Math.max(root, 0)
    }
  }
}

/** Steps from nested objects to the documents around them, each once a bucket. */
export class ReverseNestedAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'reverse_nested'
  readonly #path: string | undefined
  #parents: BitSet | undefined
  /** Last document handed on, by bucket. */
  #last = new Int32Array(0)

  constructor(definition: ReverseNestedDefinition, children: readonly NamedAggregator[]) {
    super(children)
    this.#path = definition.path
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#parents = documentsOf(segment.reader, this.#path)
    this.#last.fill(-1)
  }

  collect(batch: DocBatch): void {
    const parents = this.#parents
    if (this.#last.length < batch.bucketCount) {
      const last = new Int32Array(batch.bucketCount * 2).fill(-1)
      last.set(this.#last)
      this.#last = last
    }
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const bucket = buckets[i] as number
      const parent = parents === undefined ? (this.#path === undefined ? doc : -1) : nextBit(parents, doc)
      if (parent < 0 || this.#last[bucket] === parent) continue
      this.#last[bucket] = parent
      out.push(parent, bucket, scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(batch.bucketCount)
  }
}

/** `global`: all documents, whatever the query. */
export interface GlobalDefinition {
  readonly kind: 'global'
}

/** Takes the documents it is given: all of them are, apart from the search's own run. */
export class GlobalAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'global'

  collect(batch: DocBatch): void {
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++)
      out.push(docs[i] as number, buckets[i] as number, scores === undefined ? 0 : (scores[i] as number))
    this.flush(batch.bucketCount)
  }
}
