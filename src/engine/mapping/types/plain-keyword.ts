import type { KeywordField } from '../field-mapping.ts'

/** A keyword field that no mapping says more of: each value is one term, as it is. */
export function plainKeyword(path: string, nestedPath: string | undefined): KeywordField {
  return {
    kind: 'keyword',
    path,
    index: true,
    docValues: true,
    store: false,
    nestedPath,
    boost: 1,
    copyTo: [],
    nullValue: undefined,
    normalizer: undefined,
    ignoreAbove: Number.POSITIVE_INFINITY,
    norms: false,
    indexOptions: 'docs',
    similarity: 'BM25',
    searchAnalyzer: undefined,
  }
}
