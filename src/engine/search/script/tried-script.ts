import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import { parseSource } from '../../index/parse-source.ts'
import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { Leaf } from '../lucene/leaf.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { Bm25Lucene8Similarity } from '../lucene/similarity/bm25-lucene8-similarity.ts'
import { Bm25Similarity } from '../lucene/similarity/bm25-similarity.ts'
import { createQuery } from '../queries/create-query.ts'
import type { Query } from '../queries/query.ts'
import { compileIndexScript } from './index-script.ts'
import type { SearchScript } from './search-script.ts'

const LUCENE_7 = new Bm25Similarity()
const LUCENE_8 = new Bm25Lucene8Similarity(undefined, undefined, false)

/** What a script is tried on: a document that is in no index, taken apart by the mapping of one. */
export interface TriedOn {
  readonly index: IndexSearcher
  readonly source: Buffer
  /** What scores the document; undefined: nothing does. */
  readonly query: Query | undefined
}

/**
 * Runs a script on a document as a search of an index would.
 *
 * @returns boolean of a `filter`, number of a `score`
 * @throws {ServiceError} script_exception, mapper_parsing_exception for a document the mapping refuses
 */
export function tryScript(
  script: SearchScript,
  name: 'filter' | 'score',
  { index, source, query }: TriedOn,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): unknown {
  const { mapping } = index
  const type = mapping.types[0] ?? '_doc'
  const parsed = mapping.parse(type, '_id', parseSource(source), source)
  const searcher = new MemorySearcher(index, [{ type, parsed, source }])
  // Lucene's own, which knows nothing of the mapping.
  const similarity = options.engineVersion === 'Elasticsearch_6.8' ? LUCENE_7 : LUCENE_8
  const search = new SearchContext(searcher, { engineVersion: options.engineVersion, now: options.now, similarity })
  const leaf = search.leaves[0] as Leaf
  // Nested objects come before the document they belong to.
  const doc = searcher.maxDoc - 1
  return outsideOfSearch(() => {
    const opened = compileIndexScript(script, name, { searcher, engineVersion: options.engineVersion }).open(
      leaf.segment,
    )
    const score = query === undefined ? undefined : scoreOf(query, search, leaf)
    return opened.run(doc, score === undefined ? {} : { score })
  })
}

function scoreOf(query: Query, search: SearchContext, leaf: Leaf): number {
  const scorer = createQuery(query, search).createWeight(search, 1, true).scorer(leaf)
  if (scorer === undefined || scorer.nextDoc() === NO_MORE_DOCS) {
    const reason = 'Cannot invoke "org.apache.lucene.search.Scorer.iterator()" because "scorer" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  return scorer.score()
}

/** What a search would tell of its query is told of the script alone. */
function outsideOfSearch<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof ServiceError ? error.with({ inQueryPhase: undefined }) : error
  }
}
