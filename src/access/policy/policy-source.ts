import { readFileSync, statSync } from 'node:fs'
import { fileProblem } from '../../file-problem.ts'
import { parsePolicy } from './parse-policy.ts'
import type { PolicyDocument } from './policy-document.ts'

/** Lets nobody in: in force when a stored policy cannot be read. */
const NOBODY: PolicyDocument = { version: '2012-10-17', statements: [] }

/** The access policy in force: from a file, or as stored with the data; read again when it changes. */
export class PolicySource {
  readonly #file: string | undefined
  readonly #stored: () => string | undefined
  #fileStamp: string | undefined
  #text: string | undefined
  #current: PolicyDocument = NOBODY

  /**
   * @param file    read when given
   * @param stored  the stored policy's text, where there is no file
   * @throws {PolicyError} for a policy that is not valid, {Error} for a file that cannot be read
   */
  constructor(file: string | undefined, stored: () => string | undefined) {
    this.#file = file
    this.#stored = stored
    this.reload()
  }

  get current(): PolicyDocument {
    return this.#current
  }

  /**
   * Takes over a change.
   *
   * @returns whether there was one
   * @throws {PolicyError | Error} for a new policy that cannot be taken; the old one stays in force
   */
  reload(): boolean {
    const text = this.#read()
    if (text === undefined || text === this.#text) return false
    // Remembered before it is parsed, so that a bad policy is complained of once.
    this.#text = text
    this.#current = parsePolicy(text)
    return true
  }

  #read(): string | undefined {
    if (this.#file === undefined) return this.#stored()
    try {
      return this.#readFile(this.#file)
    } catch (error) {
      throw new Error(`cannot read the access policy ${this.#file}: ${fileProblem(error)}`, { cause: error })
    }
  }

  #readFile(file: string): string | undefined {
    const { mtimeMs, size, ino } = statSync(file)
    const stamp = `${mtimeMs} ${size} ${ino}`
    if (stamp === this.#fileStamp) return undefined
    // Without the mark that some editors put first.
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
    // Once it was read: what cannot be read now is tried again.
    this.#fileStamp = stamp
    return text
  }
}
