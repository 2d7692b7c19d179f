/** Takes well-known text apart: words (numbers are words too), `(`, `)`, `,` and whatever else stands there. */
export declare class WktTokens {
  #private
  constructor(text: string)
  /** The next word or mark; `EMPTY` however it is written. @throws {ServiceError} parse_exception */
  word(): string
  /** @throws {ServiceError} parse_exception */
  number(): number
  isNumberNext(): boolean
  /** True: `(`, false: `EMPTY`. @throws {ServiceError} parse_exception */
  opens(): boolean
  open(): void
  close(): void
  comma(): void
  /** True: `,`, false: `)`. @throws {ServiceError} parse_exception */
  goesOn(): boolean
  /** @throws {ServiceError} parse_exception where something follows */
  end(): void
  /** What comes next, as messages show it. */
  upcoming(): string
}
