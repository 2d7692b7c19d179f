import type { Caller } from './caller.ts'

/** An access key in use: of a user (for long), or of a session (with a token, until it expires). */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly caller: Caller
  /** SHA-256 of the session token, hexadecimal; undefined for a long-term key. */
  readonly tokenHash: string | undefined
  /** Milliseconds since 1970; undefined for a long-term key. */
  readonly expiresAtMs: number | undefined
}

/** Finds an active access key; undefined for one that is unknown or switched off. Answered from memory. */
export type FindAccessKey = (accessKeyId: string) => AccessKey | undefined
