/**
 * Queries that the benchmark has no class for, drawn from the words of those it has, for {@link "compare-search.ts"}.
 *
 * @returns search bodies by class
 */
export function extraQueries(
  kind: string,
  classes: Readonly<Record<string, readonly unknown[]>>,
): Record<string, object[]> {
  const text = kind === 'nsmc' ? 'document' : 'extract'
  const field = (classes['match-1-mid']?.[0] as { f?: string } | undefined)?.f ?? text
  const words = [
    ...(classes['match-1-high'] ?? []),
    ...(classes['match-1-mid'] ?? []),
    ...(classes['match-1-low'] ?? []),
  ].map((spec) => (spec as { q: string }).q)
  const high = (classes['match-1-high'] ?? []).map((spec) => (spec as { q: string }).q)
  const phrases = (classes['phrase'] ?? []).map((spec) => (spec as { q: string }).q)
  const filters = (classes['filter-only'] ?? []) as { num: string; range: [number, number]; kw: string; kwq: string }[]
  const pick = (list: readonly string[], i: number): string => list[(i * 7919) % list.length] as string
  const many = (make: (i: number) => object | undefined, count = 40): object[] =>
    Array.from({ length: count }, (_, i) => make(i)).filter((body): body is object => body !== undefined)
  const match = (q: string, options: object = {}): object => ({ match: { [field]: { query: q, ...options } } })
  const term = (q: string): object => ({ term: { [field]: q } })
  const filter = (i: number) => filters[i % filters.length] as (typeof filters)[number]
  const range = (i: number): object => ({
    range: { [filter(i).num]: { gte: filter(i).range[0], lte: filter(i).range[1] } },
  })
  return {
    'msm-2': many((i) => ({
      size: 10,
      query: match(`${pick(high, i)} ${pick(high, i + 1)} ${pick(words, i)}`, { minimum_should_match: 2 }),
    })),
    'msm-75': many((i) => ({
      size: 10,
      query: match(`${pick(high, i)} ${pick(high, i + 1)} ${pick(words, i)} ${pick(high, i + 3)}`, {
        minimum_should_match: '75%',
      }),
    })),
    'repeated-words': many((i) => ({
      size: 10,
      query: match(`${pick(high, i)} ${pick(words, i)} ${pick(high, i)} ${pick(high, i)}`),
    })),
    'must-should': many((i) => ({
      size: 10,
      query: { bool: { must: [match(pick(high, i))], should: [match(pick(words, i)), match(pick(high, i + 5))] } },
    })),
    'must-should-msm': many((i) => ({
      size: 10,
      query: {
        bool: {
          must: [match(pick(high, i))],
          should: [term(pick(high, i + 2)), term(pick(high, i + 5)), term(pick(words, i))],
          minimum_should_match: 1,
        },
      },
    })),
    'must-must-not': many((i) => ({
      size: 10,
      query: { bool: { must: [match(pick(high, i))], must_not: [match(pick(high, i + 1))] } },
    })),
    'should-must-not': many((i) => ({
      size: 10,
      query: { bool: { should: [match(pick(high, i)), match(pick(words, i))], must_not: [range(i)] } },
    })),
    'nested-should': many((i) => ({
      size: 10,
      query: {
        bool: {
          should: [
            { bool: { should: [term(pick(high, i)), term(pick(words, i))] } },
            { bool: { should: [term(pick(high, i + 3)), term(pick(high, i + 4))] } },
          ],
        },
      },
    })),
    'should-filter': many((i) => ({
      size: 10,
      query: { bool: { should: [match(pick(high, i)), match(pick(words, i))], filter: [range(i)] } },
    })),
    'filter-in-filter': many((i) => ({
      size: 10,
      query: {
        bool: {
          must: [match(pick(high, i))],
          filter: [{ bool: { filter: [range(i)], should: [term(pick(high, i + 1)), term(pick(high, i + 2))] } }],
        },
      },
    })),
    boosts: many((i) => ({
      size: 10,
      query: {
        bool: {
          boost: 1.7,
          should: [
            match(pick(high, i), { boost: 2.3 }),
            { constant_score: { filter: term(pick(high, i + 1)), boost: 0.3 } },
            match(pick(words, i), { boost: 0.1 }),
          ],
        },
      },
    })),
    'dis-max': many((i) => ({
      size: 10,
      query: {
        dis_max: {
          tie_breaker: 0.4,
          queries: [match(`${pick(high, i)} ${pick(words, i)}`), match(pick(high, i + 1)), term(pick(high, i + 2))],
        },
      },
    })),
    'dis-max-2': many((i) => ({
      size: 10,
      query: { dis_max: { queries: [match(`${pick(high, i)} ${pick(words, i)}`), match(pick(high, i + 1))] } },
    })),
    boosting: many((i) => ({
      size: 10,
      query: { boosting: { positive: match(pick(high, i)), negative: match(pick(high, i + 1)), negative_boost: 0.3 } },
    })),
    'sloppy-phrase': many((i) => ({
      size: 10,
      query: { match_phrase: { [field]: { query: pick(phrases, i), slop: 3 } } },
    })),
    'loose-phrase': many((i) => ({
      size: 10,
      query: { match_phrase: { [field]: { query: `${pick(high, i)} ${pick(high, i + 1)}`, slop: 10 } } },
    })),
    'repeating-phrase': many((i) => ({
      size: 10,
      query: {
        match_phrase: { [field]: { query: `${pick(high, i)} ${pick(high, i + 1)} ${pick(high, i)}`, slop: 20 } },
      },
    })),
    'phrase-prefix': many((i) => ({
      size: 10,
      query: { match_phrase_prefix: { [field]: { query: pick(phrases, i).slice(0, -1), max_expansions: 20 } } },
    })),
    'phrase-prefix-1': many((i) => ({
      size: 10,
      query: { match_phrase_prefix: { [field]: { query: pick(words, i).slice(0, 3), max_expansions: 10 } } },
    })),
    'fuzzy-query': many((i) => ({
      size: 10,
      query: { fuzzy: { [field]: { value: pick(words, i), fuzziness: 2, prefix_length: 1, transpositions: true } } },
    })),
    'fuzzy-match-2': many((i) => ({
      size: 10,
      query: match(`${pick(words, i)} ${pick(words, i + 3)}`, { fuzziness: 'AUTO', max_expansions: 10 }),
    })),
    'wildcard-mixed': many((i) => ({
      size: 10,
      query: { wildcard: { [field]: `${pick(words, i).slice(0, 2)}?*${pick(words, i).slice(-1)}` } },
    })),
    regexp: many((i) => ({
      size: 10,
      query: { regexp: { [field]: `${pick(words, i).slice(0, 2)}.{0,3}(${pick(words, i).slice(-1)}|x)+` } },
    })),
    rewrites: many((i) => {
      const rewrite = [
        'scoring_boolean',
        'top_terms_5',
        'top_terms_boost_5',
        'top_terms_blended_freqs_5',
        'constant_score_boolean',
        'constant_score',
      ][i % 6]
      const word = pick(words, i)
      return {
        size: 10,
        query:
          i % 2 === 0
            ? { prefix: { [field]: { value: word, rewrite } } }
            : { fuzzy: { [field]: { value: word, rewrite, prefix_length: 1 } } },
      }
    }),
    'fuzzy-defaults': many((i) => ({
      size: 10,
      query: { fuzzy: { [field]: [...pick(words, i)].reverse().join('') } },
    })),
    'fuzzy-swap': many((i) => ({
      size: 10,
      query: { fuzzy: { [field]: `${pick(words, i).charAt(1)}${pick(words, i).charAt(0)}${pick(words, i).slice(2)}` } },
    })),
    'most-fields': many((i) => ({
      size: 10,
      query: {
        multi_match: { query: `${pick(high, i)} ${pick(words, i)}`, type: 'most_fields', fields: multiFields(classes) },
      },
    })),
    'multi-tie': many((i) => ({
      size: 10,
      query: {
        multi_match: { query: `${pick(high, i)} ${pick(words, i)}`, tie_breaker: 0.3, fields: multiFields(classes) },
      },
    })),
    'multi-phrase': many((i) => ({
      size: 10,
      query: { multi_match: { query: pick(phrases, i), type: 'phrase', fields: multiFields(classes) } },
    })),
    'cross-fields': many((i) => ({
      size: 10,
      query: {
        multi_match: {
          query: `${pick(high, i)} ${pick(words, i)}`,
          type: 'cross_fields',
          operator: 'and',
          fields: multiFields(classes),
        },
      },
    })),
    'query-string': many((i) => ({
      size: 10,
      query: {
        query_string: {
          default_field: field,
          query: `${pick(high, i)} AND (${pick(high, i + 1)} OR ${pick(words, i)}^2) -${pick(high, i + 4)}`,
        },
      },
    })),
    'post-filter': many((i) => ({ size: 10, query: match(pick(high, i)), post_filter: range(i) })),
    'min-score': many((i) => ({ size: 10, query: match(`${pick(high, i)} ${pick(words, i)}`), min_score: 5 })),
    'sort-desc': many((i) => ({
      size: 10,
      query: match(pick(high, i)),
      sort: [{ [filter(0).num]: 'desc' }, '_score'],
    })),
    'sort-keyword': many((i) => ({
      size: 10,
      query: match(pick(high, i)),
      sort: [{ [filter(0).kw]: i % 2 === 0 ? 'asc' : 'desc' }, { [filter(0).num]: 'asc' }],
    })),
    'search-after': many((i) => ({
      size: 10,
      query: match(pick(high, i)),
      sort: [{ [filter(0).num]: 'asc' }],
      search_after: [filter(i).range[0]],
    })),
    'match-none-field': many(() => ({ size: 10, query: { match: { no_such_field: 'x' } } }), 1),
    exists: many(() => ({ size: 10, query: { exists: { field: filter(0).kw } } }), 1),
    terms: many((i) => ({ size: 10, query: { terms: { [filter(0).kw]: [filter(i).kwq, filter(i + 1).kwq] } } })),
    'prefix-2': many((i) => ({ size: 10, query: { prefix: { [field]: pick(words, i).slice(0, 2) } } })),
    'function-score': many((i) => ({
      size: 10,
      query: {
        function_score: {
          query: match(pick(high, i)),
          field_value_factor: { field: filter(0).num, factor: 1.2, modifier: 'log1p' },
          boost_mode: 'sum',
        },
      },
    })),
    'function-decay': many((i) => ({
      size: 10,
      query: {
        function_score: {
          query: match(pick(high, i)),
          functions: [
            { filter: term(pick(high, i + 1)), weight: 3 },
            {
              gauss: {
                [filter(0).num]: { origin: filter(i).range[0], scale: kind === 'nsmc' ? '100d' : 10, decay: 0.4 },
              },
            },
            {
              linear: {
                [filter(0).num]: {
                  origin: filter(i).range[1],
                  scale: kind === 'nsmc' ? '1000d' : 30,
                  offset: kind === 'nsmc' ? '5d' : 2,
                },
              },
              weight: 2,
            },
          ],
          score_mode: ['avg', 'sum', 'multiply', 'first', 'max', 'min'][i % 6],
          boost_mode: ['multiply', 'avg', 'sum', 'replace', 'max', 'min'][(i >> 1) % 6],
          boost: 1.3,
        },
      },
    })),
  }
}

function multiFields(classes: Readonly<Record<string, readonly unknown[]>>): readonly string[] {
  return (classes['multi-match']?.[0] as { fs?: readonly string[] } | undefined)?.fs ?? []
}
