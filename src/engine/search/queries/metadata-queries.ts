import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { emptyBits, hasBit, setBit } from '../lucene/bit-set.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { bitsDocSet, listDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MOST_SPELT_OUT } from '../lucene/term-in-set-query.ts'
import { type Telling, ToldSetQuery } from '../lucene/told-set-query.ts'
import { idTexts } from '../query-texts/id-text.ts'
import { noneAsked } from './no-terms.ts'
import { illegalQuery, type QueryContext } from './query-context.ts'
import { hasNestedObjects, rootDocuments } from './root-documents-query.ts'

/** Documents by `_id`, and their nested ones, which are indexed with it. */
export function idsQuery(types: readonly string[], ids: readonly string[], context: QueryContext): LuceneQuery {
  const { searcher, isLucene7, isLucene9 } = context.search
  if (knowsNoField(searcher.mapping)) return new MatchNoDocsQuery('No mappings')
  if (ids.length === 0) return isLucene7 ? new MatchNoDocsQuery('Missing ids in "ids" query.') : noneAsked()
  if (ids.includes('')) throw illegalQuery(context, "Ids can't be empty")
  const found = new Map<number, Set<number>>()
  const ofTypes: readonly (string | undefined)[] = types.length > 0 ? types : [undefined]
  for (const id of new Set(ids)) {
    for (const type of ofTypes) {
      for (const { segment, doc } of searcher.locate(type, id)) {
        const docs = found.get(segment) ?? new Set()
        found.set(segment, docs.add(doc))
        const roots = searcher.segments[segment]?.rootDocs
        if (roots !== undefined) for (let own = doc - 1; own >= 0 && !hasBit(roots, own); own--) docs.add(own)
      }
    }
  }
  const made = new MadeSetQuery(
    `_id:(${ids.join(' ')})`,
    ({ ord }) => listDocSet(Int32Array.from(found.get(ord) ?? []).sort()),
    false,
  )
  const told = (text: string): Telling => ({ whole: text, explained: text })
  const tell = (): Telling => told(`_id:(${idTexts(ids).join(' ')})`)
  const isSpeltOut = !isLucene9 && new Set(ids).size <= MOST_SPELT_OUT
  const speltOut = (): Telling =>
    told(
      `ConstantScore(${idTexts(ids)
        .map((text) => `_id:${text}`)
        .join(' ')})`,
    )
  return new ToldSetQuery(made, tell, isSpeltOut ? { rewritten: speltOut } : {})
}

/** Documents of one of several mapping types, as the field `_type` is asked for them. */
export function typesQuery(types: readonly string[], context: QueryContext): LuceneQuery {
  const { mapping, isLucene7 } = context.search
  const [only, another] = mapping.types
  if (isLucene7 && another === undefined) {
    if (only !== undefined && types.includes(only)) return ofOnlyType(context)
    return new MatchNoDocsQuery(only === undefined ? 'No types' : 'Type list does not contain the index type')
  }
  const queries = types.map((type) => typeQuery(type, context))
  if (queries.length === 1) return queries[0] as LuceneQuery
  return new ConstantScoreQuery(new BooleanQuery(queries.map((query) => ({ occur: 'should', query }))))
}

/** Documents of the only type there is: nested objects have types of their own. */
const ofOnlyType = ({ search }: QueryContext): LuceneQuery =>
  hasNestedObjects(search.mapping) ? rootDocuments(search) : new MatchAllDocsQuery()

/** Documents of a mapping type. @param isLimit  whether a path asks for it, where nested objects are not looked for */
export function typeQuery(type: string, context: QueryContext, isLimit = false): LuceneQuery {
  const { search } = context
  if (search.isLucene7 && !search.mapping.types.includes(type))
    return new MatchNoDocsQuery(isLimit ? 'Type list does not contain the index type' : '')
  const isOnly = search.leaves.every(({ segment }) => segment.typeNames.length === 1 && segment.typeNames[0] === type)
  // As a rule an index has one type: then the limit that a typed path sets is none.
  if (isOnly) return isLimit || !search.isLucene7 ? new MatchAllDocsQuery() : ofOnlyType(context)
  return new MadeSetQuery(`_type:${type}`, ({ segment }) => {
    const ordinal = segment.typeNames.indexOf(type)
    if (ordinal < 0) return undefined
    if (segment.typeNames.length === 1) return { kind: 'all', count: segment.maxDoc }
    const bits = emptyBits(segment.maxDoc)
    for (let doc = 0; doc < segment.maxDoc; doc++) if (segment.typeOrdinals[doc] === ordinal) setBit(bits, doc)
    return bitsDocSet(bits)
  })
}
