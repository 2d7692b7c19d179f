import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { QueryToken } from './query-string-tokens.ts'

/** What may follow at a place of a query string, as the real servers' parser (JavaCC) counts it. */
export type Expected = 'query' | 'clause' | 'afterOperator' | 'afterModifier' | 'afterField' | AfterTerm

/** Behind a clause: whether it is one of several words, and what of a boost and a slop may still follow. */
export interface AfterTerm {
  readonly isInGroup: boolean
  readonly takesBoost: boolean
  readonly takesSlop: boolean
}

const OCCURS = ['<NOT>', '"+"', '"-"']
const STARTS = '<BAREOPER> "(" "*" <QUOTED> <TERM> <PREFIXTERM> <WILDTERM> <REGEXPTERM> "[" "{" <NUMBER>'.split(' ')

/** Names of tokens in the parser's order; what it only looks ahead for stands once more at the end. */
function namesOf(expected: Expected): readonly string[] {
  switch (expected) {
    case 'query':
    case 'clause':
      return [...OCCURS, ...STARTS, '<TERM>']
    case 'afterOperator':
      return [...OCCURS, ...STARTS, '<TERM>', '"*"']
    case 'afterModifier':
      return [...STARTS, '<TERM>', '"*"']
    case 'afterField':
      return STARTS
  }
  const { isInGroup, takesBoost, takesSlop } = expected
  const also = new Set([
    ...(isInGroup ? ['")"'] : []),
    ...(takesBoost ? ['"^"'] : []),
    ...(takesSlop ? ['<FUZZY_SLOP>'] : []),
  ])
  const behind =
    '<BAREOPER> "(" ")" "*" "^" <QUOTED> <TERM> <FUZZY_SLOP> <PREFIXTERM> <WILDTERM> <REGEXPTERM> "[" "{" <NUMBER>'
  const optional = new Set(['")"', '"^"', '<FUZZY_SLOP>'])
  const own = behind.split(' ').filter((name) => !optional.has(name) || also.has(name))
  return [...(isInGroup ? [] : ['<EOF>']), '<AND>', '<OR>', ...OCCURS, ...own]
}

/** Names of kinds of tokens in faults; others are named by themselves. */
const KINDS: { readonly [kind in QueryToken['kind']]?: string } = {
  and: '<AND>',
  or: '<OR>',
  not: '<NOT>',
  fuzzy: '<FUZZY_SLOP>',
}

/** What is said of a token that may not stand where it does. */
function misplaced(token: QueryToken, expected: Expected): string {
  const image = token.kind === 'fuzzy' ? `~${token.text}` : token.kind === 'boost' || isCaret(token) ? '^' : token.text
  const name = token.kind === 'end' ? undefined : (KINDS[token.kind] ?? `"${image}"`)
  return encountered(name, image, token.at, namesOf(expected))
}

/** @param name  undefined: the text is at its end */
function encountered(name: string | undefined, image: string, at: number, expected: readonly string[]): string {
  const what = name === undefined ? '<EOF>' : ` ${name} "${escaped(image)} "`
  const names = expected.map((one) => (one === '<EOF>' ? `${one} ` : `${one} ...`))
  const were = `Was expecting${names.length > 1 ? ' one of' : ''}:`
  return `Encountered "${what}" at line 1, column ${at}.\n${[were, ...names, ''].join('\n    ')}`
}

const RANGE_TOKEN = /\s*(?:("(?:[^"\\]|\\[\s\S])+")|([\]}])|([^ \]}]+))/y
const BOUND = ['"TO"', '<RANGE_QUOTED>', '<RANGE_GOOP>']
/** What has to follow on the bracket of a range. */
const RANGE_PARTS = [BOUND, ['"TO"'], BOUND, ['"]"', '"}"']]

/** What is said of a range that is none. */
function rangeFault(query: string, at: number): string | undefined {
  RANGE_TOKEN.lastIndex = at + 1
  for (const expected of RANGE_PARTS) {
    const [all = '', quoted, bracket, goop] = RANGE_TOKEN.exec(query) ?? []
    if (all === '') return encountered(undefined, '', query.length, expected)
    const image = quoted ?? bracket ?? (goop as string)
    const isPlain = bracket !== undefined || goop === 'TO'
    const name = isPlain ? `"${image}"` : quoted === undefined ? '<RANGE_GOOP>' : '<RANGE_QUOTED>'
    if (!expected.includes(name)) return encountered(name, image, RANGE_TOKEN.lastIndex - image.length, expected)
  }
  return undefined
}

/** Whether it is a `^` without the number that makes a boost of it. */
const isCaret = ({ kind, text }: QueryToken): boolean => kind === 'broken' && text.startsWith('^')

/** What is said of what stands in the place of a boost's number: the letter behind it is looked at, too, before anything is said. */
function boostFault(query: string, at: number, isLucene9: boolean): string {
  const first = query[at] as string
  const isLast = at === query.length - 1
  const place = isLast && /[\n\r]/.test(first) ? 'line 2, column 0' : `line 1, column ${at + (isLast ? 2 : 1)}`
  const code = first.charCodeAt(0)
  const what = isLast ? '<EOF>' : isLucene9 ? `'${code}' (${code}),` : `"${escaped(first)}" (${code}),`
  return `Lexical error at ${place}.  Encountered: ${what}${isLucene9 ? '' : ' after : ""'}`
}

/** What is said of letters that begin no token. */
function lexical(query: string, { text, at }: QueryToken, isLucene9: boolean): string {
  const first = text[0] as string
  const isOpen = first === '"' || first === '/' || text === '\\'
  const column = (isOpen ? query.length : at) + 1
  const prefix = isOpen && first !== '\\' ? `"${escaped(text)}"` : '""'
  const code = first.charCodeAt(0)
  const head = `Lexical error at line 1, column ${column}.  Encountered: `
  if (!isLucene9) return `${head}${isOpen ? '<EOF>' : `"${escaped(first)}" (${code}),`} after : ${prefix}`
  const after = prefix === '""' ? '' : ` after prefix ${prefix}`
  return `${head}${isOpen ? '<EOF>' : `'${code}' (${code}),`}${after} (in lexical state 2)`
}

/** As Java would write a text. */
const escaped = (text: string): string =>
  text.replace(/["'\\]|[^ -~]/g, (char) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const SHORT: { readonly [char: string]: string } = {
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

/** Why a query string cannot be read at a token, by the type of fault; undefined: that is not known. */
function whyNot(query: string, token: QueryToken, expected: Expected, isLucene9: boolean): ServiceError | undefined {
  const fault = (type: 'parse_exception' | 'token_mgr_error', why: string | undefined): ServiceError | undefined =>
    why === undefined ? undefined : new ServiceError(type, why, { isJava: true })
  if (token.kind !== 'broken') return fault('parse_exception', misplaced(token, expected))
  if (isCaret(token)) {
    if (typeof expected === 'string' || !expected.takesBoost)
      return fault('parse_exception', misplaced(token, expected))
    const at = token.at + 1
    if (at === query.length) return fault('parse_exception', encountered(undefined, '', at, ['<NUMBER>']))
    return fault('token_mgr_error', boostFault(query, at, isLucene9))
  }
  if (/^[[{]/.test(token.text)) return fault('parse_exception', rangeFault(query, token.at))
  return fault('token_mgr_error', lexical(query, token, isLucene9))
}

/**
 * A query string that cannot be read.
 *
 * @param token     where it cannot; undefined: that is not told
 * @param expected  what could have stood there
 */
export function unreadable(
  query: string,
  token: QueryToken | undefined,
  expected: Expected,
  engineVersion: EngineVersion,
): ServiceError {
  const cause = token && whyNot(query, token, expected, engineVersion === 'OpenSearch_2.19')
  const why = cause === undefined ? '' : `: ${cause.reason}`
  return new ServiceError('query_shard_exception', `Failed to parse query [${query}]`, {
    inQueryPhase: true,
    cause: new ServiceError('parse_exception', `Cannot parse '${query}'${why}`, {
      isJava: true,
      ...(cause === undefined ? {} : { cause }),
    }),
  })
}
