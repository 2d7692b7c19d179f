import type { ServiceError } from '../../../errors.ts'
import { matchWildcard } from '../../../match-wildcard.ts'
import { luceneGeneration } from '../../analysis/automaton/lucene-generation.ts'
import { RegexpAutomaton } from '../../analysis/lucene-regexp.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import { objectText } from '../../java/java-class-text.ts'
import type { FieldMapping, TextField } from '../../mapping/field-mapping.ts'
import { isWordlessMetadata } from '../../mapping/metadata-fields.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery, type TermSelection } from '../lucene/multi-term-query.ts'
import { eitherCase, literalPattern } from '../terms/either-case.ts'
import { gramTerms } from '../terms/gram-terms.ts'
import { prefixTerms } from '../terms/prefix-terms.ts'
import { regexpTerms } from '../terms/regexp-terms.ts'
import { checkPrefix, checkWildcard } from '../terms/wildcard-automaton.ts'
import { wildcardTerms, wildcardTest } from '../terms/wildcard-terms.ts'
import { boosted } from './boosted.ts'
import { constantQuery } from './constant-keyword-query.ts'
import { noneAsked, unmapped } from './no-terms.ts'
import { indexedPrefixQuery } from './prefix-field.ts'
import type { PrefixQuery, QueryValue, RegexpQuery, WildcardQuery } from './query.ts'
import {
  askedPath,
  checkIndexed,
  checkSearchable,
  checkTypeWords,
  creating,
  fieldOf,
  isCompletion,
  limitOf,
  literally,
  normalized,
  type QueryContext,
  requireAllowed,
  shardError,
  typeName,
} from './query-context.ts'
import { checkRegexLength, MAX_REGEX_LENGTH } from './regex-length.ts'
import { termQuery } from './term-queries.ts'
import { parseRewrite, patternTermsQuery, type TermRewrite } from './term-rewrite.ts'
import { anyValue, asWildcard, wildcardFieldQuery } from './wildcard-field-query.ts'
import { wildcardPattern } from './wildcard-pattern.ts'

/** What all documents have in a field of one value: the index' name, in 7.x its type. */
function onlyName(path: string, { search }: QueryContext): string | undefined {
  if (path === '_index') return search.searcher.indexName
  return path === '_type' && search.engineVersion === 'Elasticsearch_7.10' ? search.mapping.types[0] : undefined
}

/** Documents with a term that begins with a text. */
export function prefixQuery(query: PrefixQuery, context: QueryContext): LuceneQuery {
  const { field: path, value, rewrite, isParsed, caseInsensitive = false } = query
  const rewriting = earlyMethod(path, rewrite, context)
  const name = onlyName(path, context)
  if (name !== undefined) {
    return indexQuery(
      caseInsensitive
        ? matchesEitherCase(`${literalPattern(value)}*`, name)
        : context.search.isLucene7
          ? name.startsWith(value)
          : matchWildcard(`${value}*`, name),
      context,
    )
  }
  const field = patternField(path, 'prefix', context)
  if (field === undefined) return unmapped(path, context)
  if (field.kind === 'text' && !caseInsensitive && !(isParsed && context.search.isLucene7)) {
    const indexed = indexedPrefixQuery(field, value, rewriting, context)
    if (indexed !== undefined) return indexed
  }
  // Of what is searched as it is typed all beginnings are indexed, whatever their letters' case.
  const begun = field.kind === 'text' && caseInsensitive ? beginningsOf(field, value) : undefined
  if (begun !== undefined)
    return new ConstantScoreQuery(eitherCaseQuery(literalPattern(value), begun, rewrite, context))
  requireAllowed(
    '[prefix] queries',
    context,
    ' For optimised prefix queries on text fields please enable [index_prefixes].',
  )
  return wordPrefixQuery(query, field, context)
}

function beginningsOf({ typeName: type, prefixes }: TextField, value: string): TextField | undefined {
  if (type !== 'search_as_you_type' || prefixes?.subField?.kind !== 'prefix') return undefined
  return value !== '' && value.length <= prefixes.subField.maxChars ? prefixes : undefined
}

/** The same, looked for among the words themselves. */
export function wordPrefixQuery(query: PrefixQuery, field: FieldMapping, context: QueryContext): LuceneQuery {
  const { value, rewrite, caseInsensitive } = query
  // Of `wildcard` fields the real server makes a pattern of it as it stands.
  if (typeName(field) === 'wildcard') return wildcardFieldQuery(field, `${value}*`, context, caseInsensitive)
  if (caseInsensitive) return eitherCaseQuery(`${literalPattern(normalized(field, value))}*`, field, rewrite, context)
  const constant = constantQuery(field, (own) => own.startsWith(value))
  if (constant !== undefined) return constant
  const prefix = Buffer.from(normalized(field, value))
  creating(context, () => checkPrefix(prefix))
  return patternTermsQuery(
    field.path,
    `${prefix}*`,
    (terms) => prefixTerms(terms, prefix),
    method(rewrite, context),
    context,
  )
}

/** Documents with a term that a pattern with `*` and `?` describes. */
export function wildcardQuery(query: WildcardQuery, context: QueryContext): LuceneQuery {
  const { field: path, value, rewrite, caseInsensitive = false } = query
  const rewriting = earlyMethod(path, rewrite, context)
  const name = onlyName(path, context)
  if (name !== undefined) {
    return indexQuery(caseInsensitive ? matchesEitherCase(value, name) : matchWildcard(value, name), context)
  }
  const asked = patternField(path, 'wildcard', context)
  if (asked === undefined) return unmapped(path, context)
  const field = context.isParsed ? literally(asked) : asked
  requireAllowed('[wildcard] queries', context)
  const isOfPieces = typeName(field) === 'wildcard'
  if (isOfPieces && !context.isParsed) return wildcardFieldQuery(field, value, context, caseInsensitive)
  const lucene = luceneGeneration(context.search.engineVersion)
  const text = context.isParsed ? normalized(field, value) : wildcardPattern(field, value, lucene)
  creating(context, () => checkWildcard(text, lucene))
  // A pattern of nothing finds no empty term either.
  if (text === '') return new MatchNoDocsQuery('no terms')
  if (isOfPieces) return pieceQuery(field, text, wildcardTest(text))
  if (caseInsensitive) return eitherCaseQuery(text, field, rewrite, context)
  const constant = constantQuery(field, (own) => matchWildcard(text, own))
  if (constant !== undefined) return constant
  const select = (terms: TermDictionary): TermSelection => wildcardTerms(terms, text)
  return patternTermsQuery(field.path, text, select, rewriting, context, `wildcard ${text}`)
}

/** Documents with a term that a regular expression describes. */
export function regexpQuery(query: RegexpQuery, context: QueryContext): LuceneQuery {
  const { field: path, value, flags, maxDeterminizedStates, rewrite, caseInsensitive = false } = query
  const limit = limitOf(MAX_REGEX_LENGTH, 1_000, context)
  creating(context, () => checkRegexLength(value, 'Regexp Query request', limit))
  const rewriting = method(rewrite, context)
  // 7.10 alone asks fields for such patterns of a query string, too.
  const isLoose = context.isParsed && context.search.engineVersion !== 'Elasticsearch_7.10'
  const asked = isLoose ? termsField(path, context) : patternField(path, 'regexp', context)
  const field = isLoose && asked !== undefined ? literally(asked) : asked
  if (path === '_index') return new MatchNoDocsQuery('no words')
  if (field !== undefined && !context.isParsed) requireAllowed('[regexp] queries', context)
  const text = field === undefined ? value : normalized(field, value)
  const lucene = luceneGeneration(context.search.engineVersion)
  const automaton = creating(
    context,
    () => new RegexpAutomaton(text, { flags, maxStates: maxDeterminizedStates, caseInsensitive, lucene }),
  )
  // A bad expression is refused without a field too, and a good one looked for.
  if (field === undefined) return new MultiTermQuery(path, `/${text}/`, () => [])
  if (typeName(field) === 'wildcard') {
    if (isLoose) return pieceQuery(field, `/${text}/`, (piece) => automaton.matches(piece))
    const isAny = text === '.*' || (text === '@' && automaton.matches('@@'))
    if (isAny) return anyValue(field, context)
    return asWildcard(
      field,
      `/${text}/`,
      new MultiTermQuery(field.path, text, (terms) => regexpTerms(terms, automaton)),
    )
  }
  const constant = constantQuery(field, (own) => automaton.matches(own))
  if (constant !== undefined) return constant
  return patternTermsQuery(
    field.path,
    `/${text}/`,
    (terms) => regexpTerms(terms, automaton),
    rewriting,
    context,
    `/${text}/${flags}${caseInsensitive ? '/i' : ''}`,
  )
}

/** Documents whose value in a `wildcard` field has a piece that fits: patterns of a query string know no values. */
function pieceQuery({ path }: FieldMapping, text: string, fits: (piece: string) => boolean): LuceneQuery {
  return new MultiTermQuery(path, text, (terms) => gramTerms(terms, fits), `pieces ${text}`)
}

/** Metadata fields whose mappers know no texts to look for in either case. */
const NO_TEXTS = ['_seq_no', '_source', '_version']
const IN_ONE_CASE: Readonly<Record<EngineVersion, ReadonlySet<string>>> = {
  // It asks for nothing in either case.
  'Elasticsearch_6.8': new Set(),
  'Elasticsearch_7.10': new Set(NO_TEXTS),
  'OpenSearch_2.19': new Set([...NO_TEXTS, '_data_stream_timestamp', '_doc_count']),
}

/** Documents with a term that is a text but for the case of its letters of ASCII. */
export function eitherCaseTermQuery(path: string, value: QueryValue, context: QueryContext): LuceneQuery {
  const pattern = literalPattern(String(value))
  const name = onlyName(path, context)
  if (name !== undefined) return indexQuery(matchesEitherCase(pattern, name), context)
  if (IN_ONE_CASE[context.search.engineVersion].has(path)) throw knowsNoCase(path, path, context)
  const field = fieldOf(path, context)
  if (field === undefined) return unmapped(path, context)
  if (field.kind === 'boolean') return new ConstantScoreQuery(termQuery(path, value, context))
  if (field.kind !== 'text' && field.kind !== 'keyword' && !isCompletion(field))
    throw knowsNoCase(field.path, typeName(field), context)
  checkSearchable(field, context)
  if (typeName(field) === 'wildcard') return wildcardFieldQuery(field, String(value), context, true)
  const words = isCompletion(field) ? field.words : field
  const text = literalPattern(normalized(words, String(value)))
  return boosted(eitherCaseQuery(text, words, undefined, context), words.boost)
}

function knowsNoCase(path: string, type: string, context: QueryContext): ServiceError {
  const reason = `[${path}] field which is of type [${type}], does not support case insensitive term queries`
  return shardError(context, reason)
}

function eitherCaseQuery(
  pattern: string,
  field: FieldMapping,
  rewrite: string | undefined,
  context: QueryContext,
): LuceneQuery {
  const constant = constantQuery(field, (own) => matchesEitherCase(pattern, own))
  if (constant !== undefined) return constant
  const automaton = eitherCase(pattern)
  const select = (terms: TermDictionary): TermSelection => regexpTerms(terms, automaton)
  return patternTermsQuery(field.path, AUTOMATON, select, method(rewrite, context), context, `wildcard ${pattern}/i`)
}

/** What a pattern for letters of either case is called, with what stands for an object's hash. */
const AUTOMATON = `AutomatonQuery {\n${objectText('org.apache.lucene.util.automaton.Automaton')}}`

function matchesEitherCase(pattern: string, text: string): boolean {
  return eitherCase(pattern).matches(text)
}

/** All documents of an index, or none: a pattern for names of indices. */
function indexQuery(matches: boolean, { search }: QueryContext): LuceneQuery {
  if (matches) return new MatchAllDocsQuery()
  return search.isLucene7 ? new MatchNoDocsQuery("Index didn't match") : noneAsked()
}

function method(name: string | undefined, context: QueryContext): TermRewrite | undefined {
  return name === undefined ? undefined : creating(context, () => parseRewrite(name))
}

/** The rewrite method, which is read first of all; later servers than 6.x know before that nothing can be found. */
function earlyMethod(path: string, name: string | undefined, context: QueryContext): TermRewrite | undefined {
  const isUnmapped =
    path === '_index' || (fieldOf(path, context) === undefined && !isWordlessMetadata(path, context.search.mapping))
  return isUnmapped && !context.search.isLucene7 ? undefined : method(name, context)
}

/** Where a field's terms stand, whatever they are; undefined: it has none. */
function termsField(path: string, context: QueryContext): FieldMapping | undefined {
  const field = fieldOf(path, context)
  if (field === undefined || !field.index) return undefined
  if (isCompletion(field)) return field.words
  return field.kind === 'text' || field.kind === 'keyword' || field.kind === 'boolean' ? field : undefined
}

function onlyWords(query: string, { search }: QueryContext): string {
  const hasWildcardFields = search.engineVersion === 'Elasticsearch_7.10' && query !== 'regexp'
  return `Can only use ${query} queries on keyword${hasWildcardFields ? ', text and wildcard' : ' and text'} fields`
}

function patternField(path: string, query: string, context: QueryContext): FieldMapping | undefined {
  const field = fieldOf(path, context)
  if (field === undefined) {
    if (query !== 'wildcard') checkTypeWords(path, context)
    // 6.x looks for such words and finds none.
    if (!isWordlessMetadata(path, context.search.mapping) && (path !== '_index' || context.search.isLucene7))
      return undefined
    throw shardError(context, `${onlyWords(query, context)} - not on [${path}] which is of type [${path}]`)
  }
  const isWords = field.kind === 'text' || field.kind === 'keyword'
  if (context.isParsed && context.search.isLucene7 && !(field.index && isWords)) {
    // 6.x looks in such fields, too, for the patterns of a query string, and finds none; it is stricter with beginnings.
    if (isWords || query !== 'prefix') return undefined
  }
  if (!isWords) {
    const reason = `${onlyWords(query, context)} - not on [${askedPath(field)}] which is of type [${typeName(field)}]`
    throw shardError(context, reason)
  }
  if (context.isParsed && query === 'wildcard') checkIndexed(field, context)
  else checkSearchable(field, context)
  return field
}
