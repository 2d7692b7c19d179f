import { ServiceError } from '../../errors.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { BoolQuery, MultiMatchQuery, Query, QueryStringQuery } from './query.ts'

/** Deepest nesting of parentheses taken. */
const MAX_DEPTH = 30

type Clause = { readonly occur: 'must' | 'should' | 'must_not'; readonly query: Query }

/**
 * Reads Lucene's classic query syntax into queries: words, `field:`, "phrases"~2, AND OR NOT + - && || !, groups, ranges,
 * wildcards, `word~1`, `^2`, `_exists_:field`.
 *
 * @throws {ServiceError} query_shard_exception «Failed to parse query [..]»
 */
export function parseQueryString(options: QueryStringQuery, mapping: IndexMapping): Query {
  return new QueryStringParser(options, mapping).parse()
}

class QueryStringParser {
  readonly #o: QueryStringQuery
  readonly #text: string
  readonly #defaults: readonly (readonly [string, number])[]
  #at = 0

  constructor(options: QueryStringQuery, mapping: IndexMapping) {
    this.#o = options
    this.#text = options.query
    const named = options.defaultField === undefined ? options.fields : [[options.defaultField, 1] as const]
    this.#defaults = named.length > 0 && !(named.length === 1 && named[0]?.[0] === '*') ? named : allFields(mapping)
  }

  parse(): Query {
    if (this.#text.trim() === '') return { kind: 'match_none' }
    const query = this.#group(this.#defaults, 0)
    if (this.#at < this.#text.length) throw this.#failed()
    return query
  }

  #group(fields: readonly (readonly [string, number])[], depth: number): Query {
    if (depth > MAX_DEPTH) throw this.#failed()
    const clauses: Clause[] = []
    let conjunction: 'and' | 'or' | undefined
    for (;;) {
      this.#space()
      if (this.#at >= this.#text.length || this.#text[this.#at] === ')') break
      const word = /(?:AND|OR|&&|\|\|)(?=[\s(]|$)/y
      word.lastIndex = this.#at
      const operator = word.exec(this.#text)?.[0]
      if (operator !== undefined) {
        if (clauses.length === 0) throw this.#failed()
        this.#at += operator.length
        conjunction = operator === 'AND' || operator === '&&' ? 'and' : 'or'
        continue
      }
      const modifier = this.#modifier()
      const query = this.#clause(fields, depth)
      if (query === undefined) continue
      this.#add(clauses, conjunction, modifier, query)
      conjunction = undefined
    }
    if (conjunction !== undefined) throw this.#failed()
    const [only] = clauses
    if (only === undefined) return { kind: 'match_none' }
    if (clauses.length === 1 && only.occur !== 'must_not') return only.query
    return {
      kind: 'bool',
      must: clauses.filter((c) => c.occur === 'must').map((c) => c.query),
      should: clauses.filter((c) => c.occur === 'should').map((c) => c.query),
      mustNot: clauses.filter((c) => c.occur === 'must_not').map((c) => c.query),
      filter: [],
      adjustPureNegative: true,
      ...(this.#o.minimumShouldMatch === undefined ? {} : { minimumShouldMatch: this.#o.minimumShouldMatch }),
    } satisfies BoolQuery
  }

  /** Lucene's own rule: AND makes the clause before it required too; under a default AND, OR makes it optional. */
  #add(clauses: Clause[], conjunction: 'and' | 'or' | undefined, modifier: '+' | '-' | undefined, query: Query): void {
    const previous = clauses.at(-1)
    if (previous !== undefined && conjunction === 'and' && previous.occur === 'should')
      clauses[clauses.length - 1] = { ...previous, occur: 'must' }
    const defaultAnd = this.#o.defaultOperator === 'and'
    if (previous !== undefined && defaultAnd && conjunction === 'or' && previous.occur === 'must')
      clauses[clauses.length - 1] = { ...previous, occur: 'should' }
    let occur: Clause['occur']
    if (modifier === '-') occur = 'must_not'
    else if (modifier === '+') occur = 'must'
    else if (defaultAnd) occur = conjunction === 'or' ? 'should' : 'must'
    else occur = conjunction === 'and' ? 'must' : 'should'
    clauses.push({ occur, query })
  }

  #modifier(): '+' | '-' | undefined {
    const match = /(?:([+]\s*)|([-!]\s*)|(NOT\s+))/y
    match.lastIndex = this.#at
    const found = match.exec(this.#text)
    if (found === null) return undefined
    this.#at += found[0].length
    return found[1] === undefined ? '-' : '+'
  }

  #clause(defaults: readonly (readonly [string, number])[], depth: number): Query | undefined {
    let fields = defaults
    const name = /((?:[^\s"^~:(){}[\]\\/+\-!]|\\.)(?:[^\s"^~:(){}[\]\\]|\\.)*)\s*:/y
    name.lastIndex = this.#at
    const named = name.exec(this.#text)
    if (named !== null) {
      this.#at += named[0].length
      const field = unescapeQuery(named[1] as string)
      fields = [[field, 1]]
      this.#space()
      if (field === '_exists_') return this.#boosted({ kind: 'exists', field: unescapeQuery(this.#word()) })
    }
    const c = this.#text[this.#at]
    if (c === '(') {
      this.#at++
      const inner = this.#group(fields, depth + 1)
      if (this.#text[this.#at] !== ')') throw this.#failed()
      this.#at++
      return this.#boosted(inner)
    }
    if (c === '"') return this.#boosted(this.#phrase(fields))
    if (c === '[' || c === '{') return this.#boosted(this.#range(fields))
    if (c === '/') return this.#boosted(this.#regexp(fields))
    const compare = /(>=|<=|>|<)/y
    compare.lastIndex = this.#at
    const sign = named === null ? null : compare.exec(this.#text)
    if (sign !== null) {
      this.#at += sign[0].length
      const bound = unescapeQuery(this.#word())
      const key = ({ '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const)[sign[1] as '>']
      return this.#boosted(
        this.#each(fields, (field) => ({
          kind: 'range',
          field,
          [key]: bound,
          relation: 'intersects',
          ...this.#zone(),
        })),
      )
    }
    const word = this.#word()
    if (word === '') throw this.#failed()
    const fuzzy = /~(\d*\.?\d*)/y
    fuzzy.lastIndex = this.#at
    const tilde = fuzzy.exec(this.#text)
    if (tilde !== null) {
      this.#at += tilde[0].length
      return this.#boosted(
        this.#each(fields, (field) => ({
          kind: 'fuzzy',
          field,
          value: unescapeQuery(word).toLowerCase(),
          fuzziness: tilde[1] === '' ? this.#o.fuzziness : (tilde[1] as string),
          prefixLength: this.#o.fuzzyPrefixLength,
          maxExpansions: this.#o.fuzzyMaxExpansions,
          transpositions: this.#o.fuzzyTranspositions,
        })),
      )
    }
    return this.#boosted(this.#wordQuery(fields, word))
  }

  #wordQuery(fields: readonly (readonly [string, number])[], word: string): Query {
    if (word === '*') {
      const [first] = fields
      return fields === this.#defaults || first === undefined
        ? { kind: 'match_all' }
        : { kind: 'exists', field: first[0] }
    }
    if (/(?<!\\)[*?]/.test(word)) {
      if (!this.#o.allowLeadingWildcard && /^[*?]/.test(word)) {
        throw new ServiceError('query_shard_exception', `Failed to parse query [${this.#text}]`, {
          inQueryPhase: true,
          cause: new ServiceError('parse_exception', `'*' or '?' not allowed as first character in WildcardQuery`),
        })
      }
      return this.#each(fields, (field) => ({ kind: 'wildcard', field, value: word.toLowerCase() }))
    }
    return this.#match(fields, unescapeQuery(word), 'best_fields', 0)
  }

  #match(
    fields: readonly (readonly [string, number])[],
    text: string,
    type: MultiMatchQuery['type'],
    slop: number,
  ): Query {
    const [only] = fields
    const analyzer = type === 'phrase' ? (this.#o.quoteAnalyzer ?? this.#o.analyzer) : this.#o.analyzer
    return {
      kind: 'multi_match',
      text,
      fields: fields.length === 0 && only === undefined ? [['*', 1]] : fields,
      type,
      operator: this.#o.defaultOperator,
      prefixLength: 0,
      maxExpansions: 50,
      slop,
      lenient: this.#o.lenient ?? fields === this.#defaults,
      zeroTermsQuery: 'none',
      ...(analyzer === undefined ? {} : { analyzer }),
      ...(this.#o.tieBreaker === undefined ? {} : { tieBreaker: this.#o.tieBreaker }),
    }
  }

  #phrase(fields: readonly (readonly [string, number])[]): Query {
    const quoted = /"((?:[^"\\]|\\.)*)"/y
    quoted.lastIndex = this.#at
    const match = quoted.exec(this.#text)
    if (match === null) throw this.#failed()
    this.#at += match[0].length
    const slop = /~(\d+)/y
    slop.lastIndex = this.#at
    const tilde = slop.exec(this.#text)
    if (tilde !== null) this.#at += tilde[0].length
    return this.#match(
      fields,
      unescapeQuery(match[1] as string),
      'phrase',
      tilde === null ? this.#o.phraseSlop : Number(tilde[1]),
    )
  }

  #range(fields: readonly (readonly [string, number])[]): Query {
    const form = /([[{])\s*("(?:[^"\\]|\\.)*"|[^\s\]}]+)\s+TO\s+("(?:[^"\\]|\\.)*"|[^\s\]}]+)\s*([\]}])/y
    form.lastIndex = this.#at
    const match = form.exec(this.#text)
    if (match === null) throw this.#failed()
    this.#at += match[0].length
    const [, open, low, high, close] = match as unknown as [string, string, string, string, string]
    const bound = (text: string) => unescapeQuery(text.startsWith('"') ? text.slice(1, -1) : text)
    return this.#each(fields, (field) => ({
      kind: 'range',
      field,
      relation: 'intersects',
      ...(low === '*' ? {} : { [open === '[' ? 'gte' : 'gt']: bound(low) }),
      ...(high === '*' ? {} : { [close === ']' ? 'lte' : 'lt']: bound(high) }),
      ...this.#zone(),
    }))
  }

  #regexp(fields: readonly (readonly [string, number])[]): Query {
    const form = /\/((?:[^/\\]|\\.)*)\//y
    form.lastIndex = this.#at
    const match = form.exec(this.#text)
    if (match === null) throw this.#failed()
    this.#at += match[0].length
    const value = match[1] as string
    return this.#each(fields, (field) => ({
      kind: 'regexp',
      field,
      value,
      flags: 'ALL',
      maxDeterminizedStates: this.#o.maxDeterminizedStates,
    }))
  }

  #zone(): { timeZone?: string } {
    return this.#o.timeZone === undefined ? {} : { timeZone: this.#o.timeZone }
  }

  #each(fields: readonly (readonly [string, number])[], make: (field: string) => Query): Query {
    const queries = fields.map(([field, boost]) => ({ ...make(field), ...(boost === 1 ? {} : { boost }) }))
    return queries.length === 1
      ? (queries[0] as Query)
      : { kind: 'dis_max', queries, tieBreaker: this.#o.tieBreaker ?? 0 }
  }

  #boosted(query: Query): Query {
    const form = /\^(\d+(?:\.\d+)?)/y
    form.lastIndex = this.#at
    const match = form.exec(this.#text)
    if (match === null) return query
    this.#at += match[0].length
    return { ...query, boost: (query.boost ?? 1) * Number(match[1]) }
  }

  #word(): string {
    const form = /(?:[^\s"^~:(){}[\]\\]|\\.)+/y
    form.lastIndex = this.#at
    const match = form.exec(this.#text)
    if (match === null) throw this.#failed()
    this.#at += match[0].length
    return match[0]
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #failed(): ServiceError {
    return new ServiceError('query_shard_exception', `Failed to parse query [${this.#text}]`, {
      inQueryPhase: true,
      cause: new ServiceError(
        'parse_exception',
        `Cannot parse '${this.#text}': unexpected character at column ${this.#at}`,
      ),
    })
  }
}

const unescapeQuery = (text: string): string => text.replace(/\\(.)/gs, '$1')

function allFields(mapping: IndexMapping): readonly (readonly [string, number])[] {
  return mapping
    .matchFields('*')
    .filter((path) => ['text', 'keyword', 'number', 'date', 'ip', 'boolean'].includes(mapping.field(path)?.kind ?? ''))
    .map((path) => [path, 1] as const)
}
