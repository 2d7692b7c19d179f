import { FIELD_NAMES } from '../index/segment-builder.ts'
import { BooleanQuery } from './lucene/boolean-query.ts'
import { ConstantScoreQuery } from './lucene/constant-score-query.ts'
import { bitsDocSet } from './lucene/doc-set.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MadeSetQuery } from './lucene/made-set-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { docsOfTerms } from './lucene/multi-term-query.ts'
import { fieldOf, type QueryContext } from './query-context.ts'

/** Documents that have a value in a field, in any field of an object, or in any field a pattern names. */
export function existsQuery(path: string, context: QueryContext): LuceneQuery {
  const { mapping } = context.search
  const paths = path.includes('*')
    ? mapping.matchFields(path)
    : mapping.isObject(path)
      ? mapping.matchFields(`${path}.*`)
      : [fieldOf(path, context)?.path ?? path]
  if (paths.length === 0) return new MatchNoDocsQuery(`No field matches [${path}]`)
  const queries = paths.map(fieldExists)
  if (queries.length === 1) return new ConstantScoreQuery(queries[0] as LuceneQuery)
  return new ConstantScoreQuery(new BooleanQuery(queries.map((query) => ({ occur: 'should', query }))))
}

function fieldExists(path: string): LuceneQuery {
  return new MadeSetQuery(`DocValuesFieldExistsQuery [field=${path}]`, ({ segment }) => {
    const column = segment.field(path)?.docValues
    if (column !== undefined) {
      return column.present === undefined ? { kind: 'all', count: segment.maxDoc } : bitsDocSet(column.present)
    }
    const names = segment.field(FIELD_NAMES)?.terms
    const ordinal = names?.find(Buffer.from(path)) ?? -1
    return names === undefined || ordinal < 0 ? undefined : docsOfTerms(names, [ordinal], segment.maxDoc)
  })
}
