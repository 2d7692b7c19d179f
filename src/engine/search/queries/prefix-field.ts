import type { TermDictionary } from '../../index/segment-reader.ts'
import type { TextField } from '../../mapping/field-mapping.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import type { TermSelection } from '../lucene/multi-term-query.ts'
import type { SpanNode } from '../lucene/positions/span-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { prefixTerms } from '../terms/prefix-terms.ts'
import { booleanOf } from './boolean-queries.ts'
import { hasPositions, type QueryContext } from './query-context.ts'
import { patternTermsQuery, type TermRewrite } from './term-rewrite.ts'

/** Where a field has the beginnings of its words indexed: the field, if it has this one. */
export function prefixFieldOf(field: TextField, prefix: string): TextField | undefined {
  const { prefixes } = field
  if (prefixes?.subField?.kind !== 'prefix') return undefined
  const { minChars, maxChars } = prefixes.subField
  return prefix.length >= minChars && prefix.length <= maxChars ? prefixes : undefined
}

/**
 * Documents with a word that begins so, by the index of words' beginnings.
 *
 * @returns undefined where the beginning is too long or too short for that index
 */
export function indexedPrefixQuery(
  field: TextField,
  prefix: string,
  rewrite: TermRewrite | undefined,
  context: QueryContext,
): LuceneQuery | undefined {
  if (field.subField?.kind === 'prefix') return ofBeginnings(field, prefix, rewrite, context)
  const whole = prefixFieldOf(field, prefix)
  const query = whole === undefined ? shortPrefix(field, prefix, rewrite, context) : new TermQuery(whole.path, prefix)
  if (query === undefined) return undefined
  const isAlike =
    rewrite === undefined || rewrite.kind === 'constant_score' || rewrite.kind === 'constant_score_boolean'
  return isAlike ? new ConstantScoreQuery(query) : query
}

/** A word that begins so, as a span of the field itself; undefined where beginnings like it are not indexed. */
export function maskedPrefix(field: TextField, prefix: string): SpanNode | undefined {
  const indexed = prefixFieldOf(field, prefix)
  if (indexed === undefined || !hasPositions(indexed)) return undefined
  const { path } = indexed
  return { kind: 'masking', field: field.path, query: { kind: 'term', field: path, term: prefix } }
}

/** The index of words' beginnings itself asked for one: from 7 on that is a term of it. */
function ofBeginnings(
  { path, subField }: TextField,
  prefix: string,
  rewrite: TermRewrite | undefined,
  context: QueryContext,
): LuceneQuery | undefined {
  if (context.search.isLucene7 || subField?.kind !== 'prefix') return undefined
  const missing = subField.minChars - prefix.length
  if (missing <= 0) return new TermQuery(path, prefix)
  return longerOrItself(path, path.slice(0, path.lastIndexOf('.')), prefix, missing, rewrite, context)
}

/** From 7 on a beginning of one character too few is any of those with one more, or the word itself. */
function shortPrefix(
  { path, prefixes }: TextField,
  prefix: string,
  rewrite: TermRewrite | undefined,
  context: QueryContext,
): LuceneQuery | undefined {
  if (context.search.isLucene7 || prefixes === undefined || !isShortBeginning({ prefixes }, prefix)) return undefined
  return longerOrItself(prefixes.path, path, prefix, 1, rewrite, context)
}

/** Whether a beginning is one character too short for the index of beginnings. */
export function isShortBeginning({ prefixes }: Pick<TextField, 'prefixes'>, prefix: string): boolean {
  return prefixes?.subField?.kind === 'prefix' && prefix.length === prefixes.subField.minChars - 1
}

function longerOrItself(
  prefixPath: string,
  path: string,
  prefix: string,
  missing: number,
  rewrite: TermRewrite | undefined,
  context: QueryContext,
): LuceneQuery {
  const select = (terms: TermDictionary) => longerBy(missing, terms, prefix)
  return booleanOf(
    [
      { occur: 'should', query: patternTermsQuery(prefixPath, `${prefix}*`, select, rewrite, context) },
      { occur: 'should', query: new TermQuery(path, prefix) },
    ],
    context,
  )
}

/** Terms of so many characters more. */
function longerBy(missing: number, terms: TermDictionary, prefix: string): TermSelection {
  const length = Array.from(prefix).length + missing
  const { from, to } = prefixTerms(terms, Buffer.from(prefix))
  const found: number[] = []
  for (let ordinal = from; ordinal < to; ordinal++) {
    if (Array.from(terms.termText(ordinal)).length === length) found.push(ordinal)
  }
  return found
}
