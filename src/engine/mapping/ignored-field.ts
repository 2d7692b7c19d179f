import type { KeywordField } from './field-mapping.ts'

/** `_ignored`: the paths of a document's fields whose values were malformed and passed over (`ignore_malformed`). */
export const IGNORED_FIELD: KeywordField = {
  kind: 'keyword',
  path: '_ignored',
  index: true,
  docValues: true,
  store: true,
  nestedPath: undefined,
  boost: 1,
  copyTo: [],
  nullValue: undefined,
  normalizer: undefined,
  ignoreAbove: Number.MAX_SAFE_INTEGER,
  norms: false,
  indexOptions: 'docs',
  similarity: 'BM25',
  splitQueriesOnWhitespace: false,
}
