import { parseFailure } from './coordinate-tree.js'

const END = ''
/** Takes well-known text apart: words (numbers are words too), `(`, `)`, `,` and whatever else stands there. */
export class WktTokens {
  #tokens
  #at = 0
  constructor(text) {
    this.#tokens = text.replace(/#[^\r\n]*/g, '').match(/[a-zA-Z0-9+.\-\u00a0-\u00ff]+|\S/g) ?? []
  }
  /** The next word or mark; `EMPTY` however it is written. @throws {ServiceError} parse_exception */
  word() {
    const token = this.#next()
    if (isWord(token)) return token.toUpperCase() === 'EMPTY' ? 'EMPTY' : token
    if (token === '(' || token === ')' || token === ',') return token
    throw parseFailure(`expected word but found: ${shown(token)}`)
  }
  /** @throws {ServiceError} parse_exception */
  number() {
    const token = this.#next()
    if (!isWord(token)) throw parseFailure(`expected number but found: ${shown(token)}`)
    if (token.toLowerCase() === 'nan') return Number.NaN
    // As Java reads doubles.
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(token))
      throw parseFailure(`invalid number found: ${token}`)
    return Number(token.replace(/[dDfF]$/, ''))
  }
  isNumberNext() {
    return isWord(this.#tokens[this.#at] ?? END)
  }
  /** True: `(`, false: `EMPTY`. @throws {ServiceError} parse_exception */
  opens() {
    const word = this.word()
    if (word === '(' || word === 'EMPTY') return word === '('
    throw parseFailure(`expected EMPTY or ( but found: ${shown(word)}`)
  }
  open() {
    this.#mark('(')
  }
  close() {
    this.#mark(')')
  }
  comma() {
    this.#mark(',')
  }
  /** True: `,`, false: `)`. @throws {ServiceError} parse_exception */
  goesOn() {
    const word = this.word()
    if (word === ',' || word === ')') return word === ','
    throw parseFailure(`expected , or ) but found: ${shown(word)}`)
  }
  /** @throws {ServiceError} parse_exception where something follows */
  end() {
    const token = this.#next()
    if (token !== END) throw parseFailure(`expected end of WKT string but found additional text: ${shown(token)}`)
  }
  /** What comes next, as messages show it. */
  upcoming() {
    return shown(this.#tokens[this.#at] ?? END)
  }
  #mark(mark) {
    const word = this.word()
    if (word !== mark) throw parseFailure(`expected ${mark} but found: ${shown(word)}`)
  }
  #next() {
    const token = this.#tokens[this.#at] ?? END
    this.#at++
    return token
  }
}
function isWord(token) {
  return /^[a-zA-Z0-9+.\-\u00a0-\u00ff]/.test(token)
}
function shown(token) {
  if (token === END) return 'END-OF-STREAM'
  return isWord(token) ? token : `'${token}'`
}
