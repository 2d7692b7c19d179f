import { parseFailure } from './coordinate-tree.ts'

const END = ''

/** Takes well-known text apart: words (numbers are words too), `(`, `)`, `,` and whatever else stands there. */
export class WktTokens {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = text.replace(/#[^\r\n]*/g, '').match(/[a-zA-Z0-9+.\-\u00a0-\u00ff]+|\S/g) ?? []
  }

  /** The next word or mark; `EMPTY` however it is written. @throws {ServiceError} parse_exception */
  word(): string {
    const token = this.#next()
    if (isWord(token)) return token.toUpperCase() === 'EMPTY' ? 'EMPTY' : token
    if (token === '(' || token === ')' || token === ',') return token
    throw parseFailure(`expected word but found: ${shown(token)}`)
  }

  /** @throws {ServiceError} parse_exception */
  number(): number {
    const token = this.#next()
    if (!isWord(token)) throw parseFailure(`expected number but found: ${shown(token)}`)
    if (token.toLowerCase() === 'nan') return Number.NaN
    // As Java reads doubles.
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(token))
      throw parseFailure(`invalid number found: ${token}`)
    return Number(token.replace(/[dDfF]$/, ''))
  }

  isNumberNext(): boolean {
    return isWord(this.#tokens[this.#at] ?? END)
  }

  /** True: `(`, false: `EMPTY`. @throws {ServiceError} parse_exception */
  opens(): boolean {
    const word = this.word()
    if (word === '(' || word === 'EMPTY') return word === '('
    throw parseFailure(`expected EMPTY or ( but found: ${shown(word)}`)
  }

  open(): void {
    this.#mark('(')
  }

  close(): void {
    this.#mark(')')
  }

  comma(): void {
    this.#mark(',')
  }

  /** True: `,`, false: `)`. @throws {ServiceError} parse_exception */
  goesOn(): boolean {
    const word = this.word()
    if (word === ',' || word === ')') return word === ','
    throw parseFailure(`expected , or ) but found: ${shown(word)}`)
  }

  /** What is read once and again after each comma, to the parenthesis that closes it. @throws {ServiceError} parse_exception */
  several<T>(read: () => T): T[] {
    const all = [read()]
    while (this.goesOn()) all.push(read())
    return all
  }

  /** The four numbers of a box, to the parenthesis that closes it. @throws {ServiceError} parse_exception */
  sides(): readonly [left: number, right: number, top: number, bottom: number] {
    const left = this.number()
    this.comma()
    const right = this.number()
    this.comma()
    const top = this.number()
    this.comma()
    const bottom = this.number()
    this.close()
    return [left, right, top, bottom]
  }

  /** @throws {ServiceError} parse_exception where something follows */
  end(): void {
    const token = this.#next()
    if (token !== END) throw parseFailure(`expected end of WKT string but found additional text: ${shown(token)}`)
  }

  /** What comes next, as messages show it. */
  upcoming(): string {
    return shown(this.#tokens[this.#at] ?? END)
  }

  #mark(mark: string): void {
    const word = this.word()
    if (word !== mark) throw parseFailure(`expected ${mark} but found: ${shown(word)}`)
  }

  #next(): string {
    const token = this.#tokens[this.#at] ?? END
    this.#at++
    return token
  }
}

function isWord(token: string): boolean {
  return /^[a-zA-Z0-9+.\-\u00a0-\u00ff]/.test(token)
}

function shown(token: string): string {
  if (token === END) return 'END-OF-STREAM'
  return isWord(token) ? token : `'${token}'`
}
