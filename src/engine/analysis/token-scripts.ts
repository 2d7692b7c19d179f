import type { TokenBuffer } from './token-buffer.ts'

/** What a script says of a token. @param position  of the token in its field value, from 0 */
export type TokenTest = (tokens: TokenBuffer, index: number, position: number) => boolean

/** A script as the settings have it. */
export interface TokenScript {
  readonly lang: string
  readonly source: string
}

/** Makes a test of a script. @throws {ServiceError} script_exception, illegal_argument_exception */
export type CompileTokenScript = (script: TokenScript) => TokenTest
