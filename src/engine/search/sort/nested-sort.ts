import { ServiceError } from '../../../errors.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BitSet, emptyBits, hasBit, nextBit, previousBit, setBit } from '../lucene/bit-set.ts'
import { nestedDocs } from '../lucene/block-join-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { SearchContext } from '../lucene/search-context.ts'
import type { Weight } from '../lucene/weight.ts'
import { createNestedQuery } from '../queries/create-query.ts'
import { notNested } from '../queries/nested-query.ts'
import { unquoted } from '../queries/query-context.ts'
import type { NestedSort } from '../search-request.ts'

/** Visits the documents whose values a root document is sorted by, first first; stops when the visitor says true. */
export type SortedDocs = (root: number, visit: (doc: number) => boolean) => void

/**
 * Finds the nested objects that a root document is sorted by in each segment.
 *
 * @returns  undefined: the document itself is
 * @throws {ServiceError} query_shard_exception for a path that is none, and as a search with the filters would
 */
export function nestedSortDocs(
  sort: NestedSort | undefined,
  searcher: IndexSearcher,
): ((leaf: Leaf) => SortedDocs) | undefined {
  if (sort?.path === undefined) return undefined
  const context = new SearchContext(searcher, { engineVersion: searcher.mapping.engineVersion, now: Date.now() })
  const levels = levelsOf(sort, context)
  return (leaf) => {
    const { rootDocs } = leaf.segment
    if (rootDocs === undefined) return () => {}
    let objects: BitSet | undefined
    let around: BitSet | undefined
    for (const { path, matching } of levels) {
      const all = nestedDocs(leaf, path)
      objects = inside(all, matching?.(leaf), objects, around, leaf.segment.maxDoc)
      around = all
    }
    const found = objects as BitSet
    return (root, visit) => {
      const before = root === 0 ? -1 : previousBit(rootDocs, root - 1)
      for (let doc = nextBit(found, before + 1); doc >= 0 && doc < root; doc = nextBit(found, doc + 1)) {
        if (visit(doc)) return
      }
    }
  }
}

interface Level {
  readonly path: string
  readonly matching: ((leaf: Leaf) => BitSet) | undefined
}

function levelsOf(sort: NestedSort, context: SearchContext): Level[] {
  const levels: Level[] = []
  for (let level: NestedSort | undefined = sort; level !== undefined; level = level.nested) {
    const { path, filter } = level
    if (path === undefined) continue
    if (!context.mapping.isNested(path)) {
      const { indexName, indexUuid } = context.searcher
      throw new ServiceError('query_shard_exception', notNested(path, context.mapping), {
        index: indexName,
        indexUuid,
        inQueryPhase: true,
      })
    }
    const weight = filter === undefined ? undefined : unquoted(() => createNestedQuery(filter, path, context, true))
    const made = weight?.createWeight(context, 1, false)
    levels.push({ path, matching: made === undefined ? undefined : (leaf) => matches(made, leaf) })
  }
  return levels
}

function matches(weight: Weight, leaf: Leaf): BitSet {
  const bits = emptyBits(leaf.segment.maxDoc)
  const scorer = weight.scorer(leaf)
  if (scorer === undefined) return bits
  const { twoPhase } = scorer
  const iterator = twoPhase?.approximation ?? scorer
  for (let doc = iterator.advance(0); doc !== NO_MORE_DOCS; doc = iterator.advance(doc + 1)) {
    if (twoPhase?.matches() ?? true) setBit(bits, doc)
  }
  return bits
}

/** Objects of a path that match and lie in one of the objects around them. */
function inside(
  all: BitSet,
  matching: BitSet | undefined,
  outer: BitSet | undefined,
  around: BitSet | undefined,
  maxDoc: number,
): BitSet {
  if (matching === undefined && outer === undefined) return all
  const found = emptyBits(maxDoc)
  for (let doc = nextBit(all, 0); doc >= 0 && doc < maxDoc; doc = nextBit(all, doc + 1)) {
    if (matching !== undefined && !hasBit(matching, doc)) continue
    if (outer !== undefined && around !== undefined) {
      // What is around an object stands behind it.
      const parent = nextBit(around, doc + 1)
      if (parent < 0 || parent >= maxDoc || !hasBit(outer, parent)) continue
    }
    setBit(found, doc)
  }
  return found
}
