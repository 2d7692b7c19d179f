import type { UntakenLimits } from './untaken-answers.ts'

/** Limits of the wire. The real servers' names and values where they have them. */
export interface HttpLimits extends UntakenLimits {
  /** Request line, `http.max_initial_line_length`. */
  readonly maxLineBytes: number
  /** All headers, `http.max_header_size`. */
  readonly maxHeaderBytes: number
  /** A body, as received and after inflating, `http.max_content_length`. */
  readonly maxBodyBytes: number
  /** All bodies being received or handled; beyond it the in-flight breaker answers. */
  readonly maxInFlightBytes: number
  /** From the first byte of a request to the end of its headers; also for the TLS handshake. */
  readonly headersTimeoutMs: number
  /** Without a byte of an unfinished body. */
  readonly bodyIdleTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  /** Without a byte of an answer being taken. */
  readonly sendIdleTimeoutMs: number
  /** Answers smaller than this are not compressed. */
  readonly compressFromBytes: number
}

/** The defaults. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxLineBytes: 4096,
  maxHeaderBytes: 8192,
  maxBodyBytes: 100 * 1024 * 1024,
  maxInFlightBytes: 192 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  bodyIdleTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  sendIdleTimeoutMs: 60_000,
  maxUntakenBytes: 128 * 1024 * 1024,
  takingMs: 2_000,
  compressFromBytes: 1024,
}
