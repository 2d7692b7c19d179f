import type { FieldMapping } from '../mapping/field-mapping.ts'
import { matchWildcard } from '../mapping/wildcard.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchAllDocsQuery } from './lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { indexedPrefixQuery } from './prefix-field.ts'
import type { PrefixQuery, RegexpQuery, WildcardQuery } from './query.ts'
import {
  checkSearchable,
  creating,
  fieldOf,
  limitOf,
  normalized,
  type QueryContext,
  requireAllowed,
  shardError,
  typeName,
} from './query-context.ts'
import { parseRewrite, patternTermsQuery, type TermRewrite } from './term-rewrite.ts'
import { RegexpAutomaton } from './terms/lucene-regexp.ts'
import { prefixTerms } from './terms/prefix-terms.ts'
import { regexpTerms } from './terms/regexp-terms.ts'
import { wildcardTerms } from './terms/wildcard-terms.ts'

/** Documents with a term that begins with a text. */
export function prefixQuery(query: PrefixQuery, context: QueryContext): LuceneQuery {
  const { field: path, value, rewrite, isParsed } = query
  if (path === '_index') return indexQuery(context.search.searcher.indexName.startsWith(value))
  const field = patternField(path, 'prefix', context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  if (field.kind === 'text' && !(isParsed && context.search.isLucene7)) {
    const indexed = indexedPrefixQuery(field, value, method(rewrite, context), context)
    if (indexed !== undefined) return indexed
  }
  requireAllowed(
    '[prefix] queries',
    context,
    ' For optimised prefix queries on text fields please enable [index_prefixes].',
  )
  return wordPrefixQuery(query, field, context)
}

/** The same, looked for among the words themselves. */
export function wordPrefixQuery(
  { value, rewrite }: PrefixQuery,
  field: FieldMapping,
  context: QueryContext,
): LuceneQuery {
  const prefix = Buffer.from(normalized(field, value))
  return patternTermsQuery(
    field.path,
    `${prefix}*`,
    (terms) => prefixTerms(terms, prefix),
    method(rewrite, context),
    context,
  )
}

/** Documents with a term that a pattern with `*` and `?` describes. */
export function wildcardQuery({ field: path, value, rewrite }: WildcardQuery, context: QueryContext): LuceneQuery {
  if (path === '_index') return indexQuery(matchWildcard(value, context.search.searcher.indexName))
  const field = patternField(path, 'wildcard', context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  requireAllowed('[wildcard] queries', context)
  const text = normalized(field, value)
  return patternTermsQuery(
    field.path,
    `wildcard ${text}`,
    (terms) => wildcardTerms(terms, text),
    method(rewrite, context),
    context,
  )
}

/** Documents with a term that a regular expression describes. */
export function regexpQuery(query: RegexpQuery, context: QueryContext): LuceneQuery {
  const { field: path, value, flags, maxDeterminizedStates, rewrite } = query
  const limit = limitOf('index.max_regex_length', 1_000, context)
  if (value.length > limit) {
    throw shardError(
      context,
      `The length of regex [${value.length}] used in the Regexp Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    )
  }
  const field = patternField(path, 'regexp', context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  if (!context.isParsed) requireAllowed('[regexp] queries', context)
  const automaton = creating(context, () => new RegexpAutomaton(value, { flags, maxStates: maxDeterminizedStates }))
  return patternTermsQuery(
    field.path,
    `/${value}/${flags}`,
    (terms) => regexpTerms(terms, automaton),
    method(rewrite, context),
    context,
  )
}

/** All documents of an index, or none: a pattern for names of indices. */
function indexQuery(matches: boolean): LuceneQuery {
  return matches ? new MatchAllDocsQuery() : new MatchNoDocsQuery("Index didn't match")
}

function method(name: string | undefined, context: QueryContext): TermRewrite | undefined {
  return name === undefined ? undefined : creating(context, () => parseRewrite(name))
}

/** Metadata fields that have no words. */
const WITHOUT_WORDS: ReadonlySet<string> = new Set(['_id', '_source', '_version'])

function patternField(path: string, query: string, context: QueryContext): FieldMapping | undefined {
  const field = fieldOf(path, context)
  if (field === undefined) {
    if (!WITHOUT_WORDS.has(path)) return undefined
    throw shardError(
      context,
      `Can only use ${query} queries on keyword and text fields - not on [${path}] which is of type [${path}]`,
    )
  }
  if (field.kind !== 'text' && field.kind !== 'keyword') {
    const reason = `Can only use ${query} queries on keyword and text fields - not on [${path}] which is of type [${typeName(field)}]`
    throw shardError(context, reason)
  }
  checkSearchable(field, context)
  return field
}
