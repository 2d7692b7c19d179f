import { ServiceError } from '../../../errors.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { isBuiltInField, METADATA_FIELDS } from '../../mapping/metadata-fields.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import { begunWords } from './begun-words.ts'
import { hasWords } from './has-words.ts'
import { normalizedWord } from './normalized-word.ts'
import type { MultiMatchQuery, Query, SimpleQueryStringQuery } from './query.ts'
import { askedPath, isCompletion } from './query-context.ts'
import {
  type BoostedPatterns,
  defaultPatterns,
  mappedPatterns,
  searchedFields,
  searchesAll,
} from './searched-fields.ts'

/** What of the syntax is understood (`flags`); one bit each. */
export const SIMPLE_QUERY_STRING_FLAGS = {
  ALL: -1,
  NONE: 0,
  AND: 1,
  NOT: 2,
  OR: 4,
  PREFIX: 8,
  PHRASE: 16,
  PRECEDENCE: 32,
  ESCAPE: 64,
  WHITESPACE: 128,
  FUZZY: 256,
  NEAR: 512,
  SLOP: 512,
} as const

/** Deepest nesting taken: each change between `+` and `|` nests once, too. */
const MAX_DEPTH = 400

/** How far the reading of a text, or of a group in it, has come. */
interface State {
  index: number
  readonly end: number
  not: number
  previous: 'must' | 'should' | undefined
  current: 'must' | 'should' | undefined
  top: Query | undefined
  depth: number
}

/**
 * Reads the syntax that knows no errors into queries: words, `+ | -`, "phrases"~2, groups, `pre*`, `word~1`, `\` before
 * what is meant as it stands. As Lucene's SimpleQueryParser reads it.
 *
 * @throws {ServiceError} query_shard_exception for a text that nests too deep
 */
export function parseSimpleQueryString(options: SimpleQueryStringQuery, mapping: IndexMapping): Query {
  return new SimpleQueryParser(options, mapping).parse()
}

class SimpleQueryParser {
  readonly #o: SimpleQueryStringQuery
  readonly #text: string
  readonly #mapping: IndexMapping
  readonly #fields: BoostedPatterns
  readonly #quoted: BoostedPatterns
  readonly #lenient: boolean
  readonly #analyzer: Analyzer | undefined
  /** By the place of an opening parenthesis, that of its closing one. */
  #closers: ReadonlyMap<number, number> | undefined

  constructor(options: SimpleQueryStringQuery, mapping: IndexMapping) {
    this.#o = options
    this.#text = options.query
    this.#mapping = mapping
    const isDefault = options.fields.length === 0
    const asked = isDefault ? defaultPatterns(mapping) : mappedPatterns(options.fields)
    this.#fields = mappedFields(asked, mapping)
    const { quoteFieldSuffix = '' } = options
    this.#quoted = quoteFieldSuffix === '' ? this.#fields : mappedFields(this.#fields, mapping, quoteFieldSuffix)
    this.#lenient = options.lenient ?? (isDefault && searchesAll(asked))
    this.#analyzer = options.analyzer === undefined ? undefined : mapping.analyzers.analyzer(options.analyzer)
  }

  parse(): Query {
    if (this.#text.trim() === '*') return { kind: 'match_all' }
    const state = newState(0, this.#text.length, 0)
    this.#group(state)
    return state.top ?? { kind: 'match_none', reason: 'empty string passed to query parser' }
  }

  #has(flag: keyof typeof SIMPLE_QUERY_STRING_FLAGS): boolean {
    return (this.#o.flags & SIMPLE_QUERY_STRING_FLAGS[flag]) !== 0
  }

  #group(state: State): void {
    if (state.depth > MAX_DEPTH) {
      throw faultInQueryPhase('query_shard_exception', `Failed to parse query [${this.#text.slice(0, 200)}]`)
    }
    while (state.index < state.end) {
      const char = this.#text[state.index] as string
      if (char === '(' && this.#has('PRECEDENCE')) this.#subQuery(state)
      else if (char === ')' && this.#has('PRECEDENCE')) state.index++
      else if (char === '"' && this.#has('PHRASE')) this.#phrase(state)
      else if (char === '+' && this.#has('AND')) this.#operator(state, 'must')
      else if (char === '|' && this.#has('OR')) this.#operator(state, 'should')
      else if (char === '-' && this.#has('NOT')) {
        state.not++
        state.index++
        continue
      } else if (isSpace(char) && this.#has('WHITESPACE')) state.index++
      else this.#token(state)
      state.not = 0
    }
  }

  #operator(state: State, occur: 'must' | 'should'): void {
    if (state.current === undefined && state.top !== undefined) state.current = occur
    state.index++
  }

  #subQuery(state: State): void {
    this.#closers ??= this.#findClosers()
    const closer = this.#closers.get(state.index)
    const start = ++state.index
    state.index = closer === undefined || closer >= state.end ? state.end : closer
    if (state.index === state.end) {
      // Nothing closes it: the parenthesis means nothing.
      state.index = start
    } else if (state.index === start) {
      state.current = undefined
      state.index++
    } else {
      const inner = newState(start, state.index, state.depth + 1)
      this.#group(inner)
      this.#add(state, inner.top)
      state.index++
    }
  }

  /** Where each group ends, found in one go: of very many parentheses none is looked for twice. */
  #findClosers(): ReadonlyMap<number, number> {
    const closers = new Map<number, number>()
    const open: number[] = []
    for (let i = 0; i < this.#text.length; i++) {
      const char = this.#text[i]
      if (char === '\\' && this.#has('ESCAPE')) i++
      else if (char === '(') open.push(i)
      else if (char === ')') {
        const opener = open.pop()
        if (opener !== undefined) closers.set(opener, i)
      }
    }
    return closers
  }

  #phrase(state: State): void {
    const start = ++state.index
    let text = ''
    let escaped = false
    let hasSlop = false
    while (state.index < state.end) {
      const char = this.#text[state.index] as string
      if (!escaped) {
        if (char === '\\' && this.#has('ESCAPE')) {
          escaped = true
          state.index++
          continue
        }
        if (char === '"') {
          if (state.end > state.index + 1 && this.#text[state.index + 1] === '~' && this.#has('NEAR')) {
            state.index++
            hasSlop = state.end > state.index + 1
          }
          break
        }
      }
      escaped = false
      text += char
      state.index++
    }
    if (state.index === state.end) state.index = start
    else if (state.index === start) {
      state.current = undefined
      state.index++
    } else {
      this.#add(state, this.#phraseQuery(text, hasSlop ? this.#edits(state) : 0))
      state.index++
    }
  }

  #token(state: State): void {
    let text = ''
    let escaped = false
    let prefix = false
    let fuzzy = false
    while (state.index < state.end) {
      const char = this.#text[state.index] as string
      if (!escaped) {
        if (char === '\\' && this.#has('ESCAPE')) {
          escaped = true
          prefix = false
          state.index++
          continue
        }
        if (this.#endsToken(char)) break
        if (text !== '' && char === '~' && this.#has('FUZZY')) {
          fuzzy = true
          break
        }
        prefix = text !== '' && char === '*' && this.#has('PREFIX')
      }
      escaped = false
      text += char
      state.index++
    }
    if (text === '') return
    if (fuzzy) {
      const edits = Math.min(2, this.#edits(state))
      this.#add(state, edits === 0 ? this.#wordsQuery(text) : this.#fuzzyQuery(text, edits))
    } else this.#add(state, prefix ? this.#prefixQuery(text.slice(0, -1)) : this.#wordsQuery(text))
  }

  /** Reads the number behind a `~`; 2 where there is none, 0 where it is no number. */
  #edits(state: State): number {
    if (this.#text[state.index] !== '~') return 0
    let text = ''
    while (state.index < state.end) {
      state.index++
      if (state.index >= state.end) break
      const char = this.#text[state.index] as string
      if (this.#endsToken(char)) break
      text += char
    }
    if (text === '') return 2
    const edits = /^[-+]?\d+$/.test(text) ? Number(text) : 0
    return edits > 0x7fffffff ? 0 : Math.max(0, edits)
  }

  #endsToken(char: string): boolean {
    return (
      (char === '"' && this.#has('PHRASE')) ||
      (char === '|' && this.#has('OR')) ||
      (char === '+' && this.#has('AND')) ||
      ((char === '(' || char === ')') && this.#has('PRECEDENCE')) ||
      (isSpace(char) && this.#has('WHITESPACE'))
    )
  }

  #add(state: State, found: Query | undefined): void {
    if (found === undefined) return
    const branch = state.not % 2 === 1 ? bool({ mustNot: [found], should: [{ kind: 'match_all' }] }) : found
    if (state.top === undefined) state.top = branch
    else {
      const occur = state.current ?? (this.#o.defaultOperator === 'and' ? 'must' : 'should')
      if (state.previous !== occur) {
        state.depth++
        if (state.depth > MAX_DEPTH) this.#group(state)
        state.top = bool({ [occur]: [state.top, branch] })
      } else {
        const top = state.top as Query & { readonly kind: 'bool' }
        // One list is built on: its earlier form is never looked at again.
        ;(top[occur] as Query[]).push(branch)
      }
      state.previous = occur
    }
    state.current = undefined
  }

  #wordsQuery(text: string): Query | undefined {
    return this.#match(text, 'most_fields', 0, this.#fields)
  }

  #phraseQuery(text: string, slop: number): Query | undefined {
    return this.#match(text, 'phrase', slop, this.#quoted)
  }

  #match(text: string, type: MultiMatchQuery['type'], slop: number, asked: BoostedPatterns): Query | undefined {
    if (asked.length === 0) return { kind: 'match_none', reason: `unmapped fields [${this.#unmapped().join(', ')}]` }
    const isQuoted = type === 'phrase'
    const fields = asked.filter(([path]) => hasWords(this.#mapping.field(path), text, this.#analyzer, isQuoted))
    if (fields.length === 0) return undefined
    return {
      kind: 'multi_match',
      text,
      fields,
      isResolved: true,
      type,
      operator: this.#o.defaultOperator,
      prefixLength: 0,
      maxExpansions: 50,
      slop,
      lenient: this.#lenient,
      zeroTermsQuery: 'none',
      autoGenerateSynonymsPhraseQuery: this.#o.autoGenerateSynonymsPhraseQuery,
      ...(this.#o.analyzer === undefined ? {} : { analyzer: this.#o.analyzer }),
      ...(this.#o.heard === undefined ? {} : { heard: this.#o.heard }),
    }
  }

  /** Fields that are named and not mapped, as 6.x tells them. */
  #unmapped(): readonly string[] {
    if (this.#mapping.engineVersion !== 'Elasticsearch_6.8') return []
    return [...searchedFields(mappedPatterns(this.#o.fields), this.#mapping).keys()]
  }

  #fuzzyQuery(text: string, edits: number): Query | undefined {
    return this.#each((field, path) =>
      this.#overlooked({
        kind: 'fuzzy',
        field: path,
        value: field === undefined ? text : normalizedWord(field, text, this.#analyzer),
        fuzziness: String(edits),
        prefixLength: this.#o.fuzzyPrefixLength,
        maxExpansions: this.#o.fuzzyMaxExpansions,
        transpositions: this.#o.fuzzyTranspositions,
        isParsed: true,
      }),
    )
  }

  #prefixQuery(text: string): Query | undefined {
    return this.#each((field, path): Query | undefined => {
      if (!this.#o.analyzeWildcard) {
        const value = field === undefined ? text : normalizedWord(field, text, this.#analyzer)
        return this.#overlooked({ kind: 'prefix', field: path, value })
      }
      // Terms are looked for in the index alone, whatever else the field would refuse or answer by.
      if (!field?.index || (field.kind !== 'text' && field.kind !== 'keyword' && !isCompletion(field)))
        return { kind: 'match_none', reason: 'no such terms' }
      if (!hasWords(field, text, this.#analyzer, false)) return undefined
      const { defaultOperator: operator, analyzer } = this.#o
      return { ...begunWords(path, text, { operator, lenient: this.#lenient, analyzer }), ofWordsAlone: true }
    })
  }

  /** What a field cannot take is an error unless that is to be overlooked. */
  #overlooked(query: Query): Query {
    return this.#lenient ? { kind: 'lenient', query, field: undefined } : query
  }

  /** @param make  told of a field, which a metadata field has none of, and its path */
  #each(make: (field: FieldMapping | undefined, path: string) => Query | undefined): Query | undefined {
    const queries = this.#fields.flatMap(([path, boost]): Query[] => {
      const field = this.#mapping.field(path)
      const query = this.#unanalyzed(field) ?? make(field, field === undefined ? path : askedPath(field))
      if (query === undefined) return []
      return [boost === 1 || query.kind === 'match_none' ? query : { ...query, boost }]
    })
    return queries.length === 1 ? queries[0] : { kind: 'dis_max', queries, tieBreaker: 1 }
  }

  /** What 6.x comes to in a field that a text makes for itself: it has no analyzer to look for there. */
  #unanalyzed(field: FieldMapping | undefined): Query | undefined {
    const isOwn = field?.kind === 'text' && field.subField !== undefined
    if (!isOwn || this.#analyzer !== undefined || this.#mapping.engineVersion !== 'Elasticsearch_6.8') return undefined
    if (!this.#lenient) throw new ServiceError('null_pointer_exception', NO_ANALYZER)
    return { kind: 'match_none', reason: `failed query, caused by ${NO_ANALYZER}` }
  }
}

const NO_ANALYZER =
  'Cannot invoke "org.apache.lucene.analysis.Analyzer.normalize(String, String)" because the return value of "org.elasticsearch.index.search.SimpleQueryStringQueryParser.getAnalyzer(org.elasticsearch.index.mapper.MappedFieldType)" is null'

function newState(index: number, end: number, depth: number): State {
  return { index, end, not: 0, previous: undefined, current: undefined, top: undefined, depth }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

function bool(clauses: { readonly must?: Query[]; readonly should?: Query[]; readonly mustNot?: Query[] }): Query {
  return {
    kind: 'bool',
    must: [],
    should: [],
    filter: [],
    mustNot: [],
    adjustPureNegative: false,
    isParsed: true,
    ...clauses,
  }
}

/** Fields by path with their boosts; those the index does not have are left out. */
function mappedFields(asked: BoostedPatterns, mapping: IndexMapping, suffix = ''): BoostedPatterns {
  const isThere = (path: string): boolean =>
    mapping.field(path) !== undefined ||
    METADATA_FIELDS[mapping.engineVersion].has(path) ||
    (path === '_uid' && isBuiltInField(path, mapping))
  return [...searchedFields(asked, mapping, { suffix })].filter(([path]) => isThere(path))
}
