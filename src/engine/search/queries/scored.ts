import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { SetQuery } from '../lucene/set-query.ts'
import { TermInSetQuery } from '../lucene/term-in-set-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { type Telling, ToldSetQuery } from '../lucene/told-set-query.ts'
import { bytesText } from '../query-texts/address-text.ts'
import { isFoundByColumn } from './query-context.ts'

/** A field's query: what is found by doc values alone scores alike. */
export function scored(query: LuceneQuery, field: FieldMapping): LuceneQuery {
  if (field.index || !isFoundByColumn(field) || query instanceof SetQuery) return query
  if (!(query instanceof TermQuery)) return new ConstantScoreQuery(query)
  const value = field.kind === 'boolean' ? (query.text === 'T' ? '1' : '0') : bytesText(query.term)
  const text = `${query.field}:[${value} TO ${value}]`
  const tell = (): Telling => ({ whole: text, explained: text })
  return new ToldSetQuery(new TermInSetQuery(query.field, [Buffer.from(query.term)]), tell)
}
