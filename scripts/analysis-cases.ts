/** A body of `_analyze` without its text. */
export type AnalysisCase = Readonly<Record<string, unknown>>

const LANGUAGES =
  'arabic armenian basque bengali brazilian bulgarian catalan chinese cjk czech danish dutch english estonian finnish french galician german greek hindi hungarian indonesian irish italian latvian lithuanian norwegian persian portuguese romanian russian sorani spanish swedish thai turkish'.split(
    ' ',
  )

const STEMMERS =
  'arabic armenian basque bengali brazilian bulgarian catalan czech danish dutch dutch_kp dutchKp dutchkp kp english estonian finnish french galician german german2 german_caumanns greek hindi hungarian indonesian irish italian kstem latvian light_english lightEnglish light_finish light_finnish light_french lightFrench light_german light_hungarian light_italian light_norwegian light_nynorsk light_portuguese light_russian light_spanish light_swedish lithuanian lovins minimal_english minimalEnglish minimal_french minimal_galician minimal_german minimal_norwegian minimal_nynorsk minimal_portuguese nepali norwegian persian porter porter2 portuguese portuguese_rslp possessive_english possessiveEnglish romanian russian serbian sorani spanish spanish_plural swedish swedish_minimal tamil turkish yiddish'.split(
    ' ',
  )

const SNOWBALL =
  'Arabic Armenian Basque Catalan Danish Dutch English Estonian Finnish French German German2 Greek Hindi Hungarian Indonesian Irish Italian Kp Lithuanian Lovins Nepali Norwegian Persian Porter Portuguese Romanian Russian Serbian Spanish Swedish Tamil Turkish Yiddish x'.split(
    ' ',
  )

/** Options by type, with values to try; each is tried alone, then some together. */
interface Options {
  readonly [option: string]: readonly unknown[]
}

const FLAG = [true, false, 'x', '']
const NUMBER = [0, 1, 2, 5, -1, 'x']
const GRAMS = { min_gram: NUMBER, max_gram: NUMBER }
const WORD_PARTS = Object.fromEntries(
  'generate_word_parts generate_number_parts catenate_words catenate_numbers catenate_all split_on_case_change split_on_numerics preserve_original stem_english_possessive adjust_offsets ignore_keywords'
    .split(' ')
    .map((option) => [option, FLAG]),
)
const DELIMITED = {
  ...WORD_PARTS,
  type_table: [
    ['$ => DIGIT', '% => ALPHANUM', '- => ALPHA'],
    ['\\u002D => LOWER'],
    ['x => FOO'],
    ['$'],
    ['ab => DIGIT'],
  ],
  protected_words: [['Wi-Fi', 'PowerShot-500'], 'Wi-Fi,iPhone6sPlus'],
}
const SYNONYMS = {
  synonyms: [
    ['usa, united states of america', 'wi fi => wifi', 'dns => domain name system'],
    ['the, a => ', 'one,uno'],
    ['one => '],
    ['one,,two'],
    ['a => b => c'],
    ['=> a'],
    ['foo\\,bar, baz', 'lazy dog, cat'],
    ["s(100000001,1,'one',v,1,0).", "s(100000001,2,'uno',v,1,0)."],
    [],
    'one, uno',
    ['!!!, one'],
  ],
  format: ['wordnet', 'solr', 'x'],
  expand: FLAG,
  lenient: FLAG,
  updateable: FLAG,
  ignore_case: FLAG,
  tokenizer: ['whitespace', 'x'],
}

const TOKENIZERS: Readonly<Record<string, Options>> = {
  standard: { max_token_length: [1, 5, 300, 0, -1, 'x', 1048577] },
  classic: { max_token_length: [1, 5, 0, 'x'] },
  uax_url_email: { max_token_length: [1, 5, 0, 'x', 1048577] },
  keyword: { buffer_size: [1, 256, 0, -1, 'x'] },
  whitespace: { max_token_length: [1, 5, 0, -1, 'x', 1048577] },
  letter: { max_token_length: [3] },
  lowercase: {},
  char_group: {
    tokenize_on_chars: [
      ['whitespace', '-', '\\n', '\\u002e'],
      ['letter', 'digit'],
      ['punctuation', 'symbol'],
      ['cjk'],
      ['xx'],
      [],
      ['\\x'],
      [''],
      '-',
    ],
    max_token_length: [1, 3, 0, 'x'],
  },
  pattern: {
    pattern: ['[aeiou]', '', '(', '(\\w)(\\w+)', '\\s*'],
    group: [-1, 0, 1, 2, 'x', 5],
    flags: ['CASE_INSENSITIVE', 'x', 'CASE_INSENSITIVE|DOTALL', 'UNICODE_CASE|COMMENTS', ''],
  },
  simple_pattern: { pattern: ['[a-z]+', '', '(', '[0-9]{2,3}', '.+'] },
  simple_pattern_split: { pattern: ['[a-z]+', '', '(', '[ ,.]', '_'] },
  ngram: {
    ...GRAMS,
    token_chars: [
      ['letter'],
      ['digit', 'whitespace'],
      ['punctuation', 'symbol'],
      ['x'],
      [],
      'letter,digit',
      ['custom'],
    ],
    custom_token_chars: ['_-', ''],
  },
  nGram: GRAMS,
  edge_ngram: { ...GRAMS, token_chars: [['letter'], ['x'], ['custom']], custom_token_chars: ['_-'] },
  edgeNGram: GRAMS,
  path_hierarchy: {
    delimiter: ['-', '', 'xx', '\\'],
    replacement: ['_', '', 'xx'],
    skip: NUMBER,
    reverse: FLAG,
    buffer_size: [1, 0, -1, 'x'],
  },
  PathHierarchy: {},
  thai: {},
}

const SCRIPTS = [
  { source: 'token.position > 1' },
  { source: "token.getTerm().length() > 3 && token.type == '<ALPHANUM>'" },
  { source: 'token.keyword' },
  { source: 'token.startOffset % 2 == 0 || token.endOffset > 10' },
  { source: 'token.positionIncrement == 1' },
  { source: 'token.foo' },
  { source: 'x(' },
  'token.position < 3',
  {},
]

const FILTERS: Readonly<Record<string, Options>> = {
  apostrophe: {},
  arabic_normalization: {},
  arabic_stem: {},
  asciifolding: { preserve_original: FLAG },
  bengali_normalization: {},
  brazilian_stem: { stem_exclusion: [['meninos']] },
  cjk_bigram: {
    ignored_scripts: [['han'], ['hiragana', 'katakana', 'hangul'], ['x'], 'han'],
    output_unigrams: FLAG,
  },
  cjk_width: {},
  classic: {},
  common_grams: {
    common_words: [['the', 'of', 'and'], '_english_', []],
    ignore_case: FLAG,
    query_mode: FLAG,
    common_words_path: ['x.txt'],
  },
  concatenate_graph: {
    preserve_separators: FLAG,
    preserve_position_increments: FLAG,
    token_separator: ['_', '', 'xx', ' '],
    max_graph_expansions: [0, 1, 2, 'x', -1],
  },
  condition: { filter: [['lowercase'], 'uppercase', ['x'], []], script: SCRIPTS },
  czech_stem: {},
  decimal_digit: {},
  delimited_payload: { delimiter: ['|', '', 'xx', '-'], encoding: ['float', 'int', 'identity', 'x', 'term'] },
  delimited_payload_filter: {},
  delimited_term_freq: { delimiter: ['|', '', 'xx', '.'] },
  dictionary_decompounder: {
    word_list: [
      ['donau', 'dampf', 'schiff', 'schifffahrt', 'fahrt', 'gesellschaft', 'straße', 'bahn', 'bahnen', 'straßen'],
      [],
    ],
    min_word_size: NUMBER,
    min_subword_size: NUMBER,
    max_subword_size: NUMBER,
    only_longest_match: FLAG,
    word_list_path: ['x.txt'],
  },
  dutch_stem: {},
  edge_ngram: { ...GRAMS, side: ['front', 'back', 'x'], preserve_original: FLAG },
  edgeNGram: GRAMS,
  elision: { articles: [['l', 'd', 'qu'], 'L,D', []], articles_case: FLAG, articles_path: ['x.txt'] },
  fingerprint: { separator: ['+', '', 'xx'], max_output_size: [5, 0, -1, 'x', 1000] },
  flatten_graph: {},
  french_stem: {},
  german_normalization: {},
  german_stem: {},
  hindi_normalization: {},
  hunspell: { locale: ['en_US'], language: ['xx'], dedup: FLAG },
  hyphenation_decompounder: { hyphenation_patterns_path: ['x.xml'], word_list: [['donau']] },
  indic_normalization: {},
  keep: {
    keep_words: [['The', 'quick', 'one'], 'one,two', []],
    keep_words_case: FLAG,
    keep_words_path: ['x.txt'],
    enable_position_increments: FLAG,
  },
  keep_types: {
    types: [['<NUM>', '<ALPHANUM>'], ['<EMOJI>', 'word'], []],
    mode: ['include', 'exclude', 'x', 'EXCLUDE'],
  },
  keyword_marker: {
    keywords: [['Running', 'the'], 'running,jumped', []],
    keywords_pattern: ['.*ing', '(', ''],
    ignore_case: FLAG,
    keywords_path: ['x.txt'],
  },
  keyword_repeat: {},
  kstem: {},
  length: { min: NUMBER, max: NUMBER, enable_position_increments: FLAG },
  limit: { max_token_count: NUMBER, consume_all_tokens: FLAG },
  lowercase: { language: ['greek', 'irish', 'turkish', 'english', 'Greek', 'x', ''] },
  min_hash: {
    hash_count: [1, 2, 0, 'x'],
    bucket_count: [1, 4, 0, 'x'],
    hash_set_size: [1, 2, 0, 'x'],
    with_rotation: FLAG,
  },
  multiplexer: {
    filters: [['lowercase', 'uppercase'], ['lowercase, reverse'], ['x'], [], 'lowercase', ['shingle']],
    preserve_original: FLAG,
  },
  ngram: { ...GRAMS, preserve_original: FLAG },
  nGram: GRAMS,
  pattern_capture: { patterns: [['(\\w)(\\d+)', '([aeiou]+)'], '(\\w{3})', ['('], []], preserve_original: FLAG },
  pattern_replace: {
    pattern: ['[aeiou]', '(\\w)(\\w)', '('],
    replacement: ['$1', '$9', '', 'x\\', '$2$1'],
    all: FLAG,
    flags: ['CASE_INSENSITIVE', 'x'],
  },
  persian_normalization: {},
  persian_stem: {},
  porter_stem: {},
  predicate_token_filter: { script: SCRIPTS },
  remove_duplicates: {},
  reverse: {},
  russian_stem: {},
  scandinavian_folding: {},
  scandinavian_normalization: {},
  serbian_normalization: {},
  shingle: {
    min_shingle_size: [2, 3, 1, 0, 'x'],
    max_shingle_size: [2, 3, 4, 5, 6, 1, 0, 'x'],
    output_unigrams: FLAG,
    output_unigrams_if_no_shingles: FLAG,
    token_separator: ['', '+', 'xx'],
    filler_token: ['', '*'],
  },
  snowball: { language: SNOWBALL },
  sorani_normalization: {},
  standard: {},
  stemmer: { language: [...STEMMERS, 'x'], name: ['light_german'] },
  stemmer_override: {
    rules: [['running, jumped => run', 'foxes => fox'], ['x'], ['a => b => c'], [], ['one => one => two'], ['a =>']],
    rules_path: ['x.txt'],
  },
  stop: {
    stopwords: [
      ['the', 'and'],
      '_none_',
      [],
      'the,and',
      '_x_',
      ...LANGUAGES.map((language) => `_${language}_`),
      ['_english_', 'quick'],
    ],
    ignore_case: FLAG,
    remove_trailing: FLAG,
    enable_position_increments: FLAG,
    stopwords_path: ['x.txt'],
  },
  synonym: SYNONYMS,
  synonym_graph: SYNONYMS,
  trim: { update_offsets: FLAG },
  truncate: { length: [3, 0, -1, 'x'] },
  type_as_payload: {},
  type_as_synonym: {},
  unique: { only_on_same_position: FLAG },
  uppercase: {},
  word_delimiter: DELIMITED,
  word_delimiter_graph: DELIMITED,
  icu_folding: {},
  nosuch: {},
}

const CHAR_FILTERS: Readonly<Record<string, Options>> = {
  htmlStrip: {},
  html_strip: { escaped_tags: [['b', 'p'], 'b', []] },
  mapping: {
    mappings: [
      ['ph => f', '& => and', 'ü => ue', 'é => ', 'a=>aaaa', '😀 => smile', ': => \\n'],
      ['a'],
      [],
      ['a => b', 'a => c'],
      [' => x'],
      ['\\u0061 => \\u0062'],
      ['a => b => c'],
      'q => k',
    ],
    mappings_path: ['x.txt'],
  },
  pattern_replace: {
    pattern: ['[aeiou]+', '(\\w)(\\w)', '(', '', '\\b'],
    replacement: ['$2$1', '', '$9', '---'],
    flags: ['CASE_INSENSITIVE', 'x'],
  },
  nosuch: {},
}

/** What a type cannot do without, where one of its other options is tried. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  Object.entries({
    'common_grams common_words': ['the', 'of', 'and'],
    'condition filter': ['uppercase'],
    'condition script': SCRIPTS[0],
    'dictionary_decompounder word_list': FILTERS['dictionary_decompounder']?.['word_list']?.[0],
    'hyphenation_decompounder word_list': ['donau'],
    'elision articles': ['l', 'd'],
    'keep keep_words': ['The', 'one'],
    'keep_types types': ['<NUM>', 'word'],
    'keyword_marker keywords': ['Running'],
    'multiplexer filters': ['lowercase', 'reverse'],
    'pattern_capture patterns': ['(\\w)(\\d+)'],
    'pattern_replace pattern': '(\\w)(\\w)',
    'predicate_token_filter script': SCRIPTS[0],
    'stemmer_override rules': ['running => run'],
    'synonym synonyms': SYNONYMS.synonyms[0],
    'synonym_graph synonyms': SYNONYMS.synonyms[0],
    'truncate length': 3,
    'char_group tokenize_on_chars': ['whitespace', '-'],
    'mapping mappings': ['a => b'],
    'simple_pattern pattern': '[a-z]+',
    'simple_pattern_split pattern': '[ ,]',
  }).map(([name, value]) => [name.split(' ')[0], { [name.split(' ')[1] as string]: value }]),
)
Object.assign(NEEDED['condition'] as object, { filter: ['uppercase'], script: SCRIPTS[0] })

/** A type without settings, and with each value of each option. */
function* variants(types: Readonly<Record<string, Options>>): Generator<string | Readonly<Record<string, unknown>>> {
  for (const [type, options] of Object.entries(types)) {
    yield type
    yield { type }
    for (const [option, values] of Object.entries(options))
      for (const value of values) {
        yield { type, ...NEEDED[type], [option]: value }
        if (NEEDED[type] !== undefined && !(option in NEEDED[type])) yield { type, [option]: value }
      }
    // Pairs of options, of which most are right.
    const names = Object.keys(options)
    for (let i = 0; i < names.length; i++)
      for (let j = i + 1; j < names.length; j++) {
        const [a, b] = [names[i] as string, names[j] as string]
        const of = (name: string, n: number): unknown => (options[name] as readonly unknown[]).at(n % 2)
        yield { type, ...NEEDED[type], [a]: of(a, i), [b]: of(b, i + j) }
        yield { type, ...NEEDED[type], [a]: of(a, 0), [b]: of(b, 0) }
      }
  }
}

/** Everything to ask. */
export function* analysisCases(): Generator<AnalysisCase> {
  const analyzers =
    'standard simple whitespace keyword stop pattern fingerprint standard_html_strip snowball classic default default_search default_index nosuch nori'
  for (const analyzer of [...analyzers.split(' '), ...LANGUAGES]) yield { analyzer }
  for (const tokenizer of variants(TOKENIZERS)) yield { tokenizer }
  yield* [{ tokenizer: 'nosuch' }, { tokenizer: { type: 'nosuch' } }, { tokenizer: {} }, { tokenizer: { type: 5 } }]
  for (const filter of variants(FILTERS)) {
    yield { tokenizer: 'standard', filter: [filter] }
    const type = typeof filter === 'string' ? filter : filter['type']
    // Between others, as they are used.
    yield { tokenizer: 'whitespace', filter: ['lowercase', filter, 'asciifolding'] }
    if (/delim|synonym|ngram|shingle|stop|limit|unique|keep|common/.test(String(type)))
      yield { tokenizer: 'standard', filter: ['word_delimiter_graph', filter, 'remove_duplicates'] }
    if (typeof filter === 'string') yield { filter: [filter] }
  }
  for (const filter of variants(CHAR_FILTERS)) {
    yield { tokenizer: 'standard', char_filter: [filter] }
    yield { tokenizer: 'keyword', char_filter: [filter] }
    yield { char_filter: [filter] }
  }
  for (const one of ['standard', 'whitespace', 'keyword', 'ngram', 'edge_ngram'])
    for (const other of ['ngram', 'edge_ngram', 'shingle', 'word_delimiter', 'word_delimiter_graph', 'cjk_bigram'])
      for (const last of ['stop', 'fingerprint', 'flatten_graph', 'unique', 'snowball', 'synonym_graph'])
        yield { tokenizer: one, filter: [other, last === 'synonym_graph' ? { type: last, ...NEEDED[last] } : last] }
}
