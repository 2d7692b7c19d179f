/** A token of Lucene's classic query syntax. */
export interface QueryToken {
  readonly kind:
    | 'and'
    | 'or'
    | 'not'
    | '+'
    | '-'
    | '('
    | ')'
    | ':'
    | 'boost'
    | 'fuzzy'
    | 'term'
    /** An operator that stands alone: a word, though never one of several side by side. */
    | 'bare'
    | 'prefix'
    | 'wildcard'
    | 'regexp'
    | 'quoted'
    | 'range'
    /** Letters that begin none; whatever stands behind them is not read. */
    | 'broken'
    | 'end'
  /** As written, without what marks its kind: quotes, slashes, `^`, `~`. */
  readonly text: string
  /** Where it begins. */
  readonly at: number
  /** Bounds of a range. */
  readonly range?: QueryRange
}

/** `[low TO high]`, with braces where a bound itself does not belong to it. */
export interface QueryRange {
  /** Undefined: open. */
  readonly low: string | undefined
  readonly high: string | undefined
  readonly includesLow: boolean
  readonly includesHigh: boolean
}

const BLANK = /[ \t\n\r\u3000]+/y
// Runs of letters count as one step: what there is to remember of steps is bounded.
const TERM = /(?:[^ \t\n\r\u3000+\-!():^[\]"{}~*?\\/]|\\[\s\S])(?:[^ \t\n\r\u3000!():^[\]"{}~*?\\/]+|\\[\s\S])*/y
const PATTERN = /(?:[^ \t\n\r\u3000+\-!():^[\]"{}~\\/]|\\[\s\S])(?:[^ \t\n\r\u3000!():^[\]"{}~\\/]+|\\[\s\S])*/y
const BARE_OPERATOR = /[+\-!][ \t\n\r\u3000]/y
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y
const REGEXP = /\/((?:\\\/|[^/])*)\//y
const BOOST = /\^(\d+(?:\.\d+)?)/y
const FUZZY = /~((?:[^ \t\n\r\u3000!():^[\]"{}~*?\\/]+|\\[\s\S])*)/y
const RANGE = /([[{])\s*("(?:[^"\\]|\\[\s\S])+"|[^ \]}]+)\s+TO\s+("(?:[^"\\]|\\[\s\S])+"|[^ \]}]+)\s*([\]}])/y

/** Takes a query string apart; undefined where its letters make a token that is too long to be told. */
export function queryTokens(text: string): readonly QueryToken[] | undefined {
  try {
    return tokensOf(text)
  } catch (error) {
    // Some ten million letters with backslashes, or in quotes.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function tokensOf(text: string): readonly QueryToken[] {
  const tokens: QueryToken[] = []
  let at = 0
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at
    const match = form.exec(text)
    if (match !== null) at += match[0].length
    return match
  }
  let start = 0
  const add = (kind: QueryToken['kind'], own: string): void => {
    tokens.push({ kind, text: own, at: start })
  }
  for (take(BLANK); at < text.length; take(BLANK)) {
    start = at
    const c = text[at] as string
    if (c === '(' || c === ')' || c === ':') {
      at++
      add(c, c)
      continue
    }
    if (c === '+' || c === '-' || c === '!') {
      if (take(BARE_OPERATOR) !== null) add('bare', c)
      else {
        at++
        add(c === '!' ? 'not' : c, c)
      }
      continue
    }
    const form = FORMS.find(([regexp]) => {
      regexp.lastIndex = at
      return regexp.test(text)
    })
    if (form !== undefined) {
      const match = take(form[0]) as RegExpExecArray
      if (form[1] === 'range') tokens.push({ kind: 'range', text: match[0], at: start, range: rangeOf(match) })
      else add(form[1], match[1] ?? '')
      continue
    }
    const word = wordToken(text, at)
    if (word === undefined) {
      add('broken', text.slice(at))
      return tokens
    }
    at += word.length
    add(word.kind, word.text)
  }
  start = text.length
  add('end', '')
  return tokens
}

/** What is told by how it begins and ends. */
const FORMS = [
  [QUOTED, 'quoted'],
  [REGEXP, 'regexp'],
  [BOOST, 'boost'],
  [FUZZY, 'fuzzy'],
  [RANGE, 'range'],
] as const

/** A word or a pattern of letters at a place; undefined where neither begins there. */
function wordToken(text: string, at: number): (Word & { readonly length: number }) | undefined {
  TERM.lastIndex = at
  PATTERN.lastIndex = at
  const plain = TERM.exec(text)?.[0] ?? ''
  const pattern = PATTERN.exec(text)?.[0] ?? ''
  if (pattern === '') return undefined
  return { ...classified(plain, pattern), length: pattern.length }
}

type Word = Pick<QueryToken, 'kind' | 'text'>

function classified(plain: string, pattern: string): Word {
  if (pattern.length > plain.length) {
    const isPrefix = pattern.length === plain.length + 1 && pattern.endsWith('*') && plain !== ''
    return isPrefix ? { kind: 'prefix', text: plain } : { kind: 'wildcard', text: pattern }
  }
  switch (plain) {
    case 'AND':
    case '&&':
      return { kind: 'and', text: plain }
    case 'OR':
    case '||':
      return { kind: 'or', text: plain }
    case 'NOT':
      return { kind: 'not', text: plain }
    default:
      return { kind: 'term', text: plain }
  }
}

function rangeOf(match: RegExpExecArray): QueryRange {
  const [, open, low, high, close] = match as unknown as [string, string, string, string, string]
  // Quotes with nothing in them stand for themselves.
  const bound = (text: string): string | undefined =>
    text === '*' ? undefined : withoutEscapes(/^".+"$/s.test(text) ? text.slice(1, -1) : text)
  return { low: bound(low), high: bound(high), includesLow: open === '[', includesHigh: close === ']' }
}

/** A text with its escaped letters as themselves (`\:`, `\u0041`). */
export function withoutEscapes(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})|\\([\s\S])/g, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (letter as string) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
