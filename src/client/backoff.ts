import type { ClientError } from './client-error.ts'

/**
 * Milliseconds to wait before a retry: exponential with full jitter, 100 ms doubling to 20 s at most, so that clients
 * refused together do not come back together.
 *
 * @param attempt  0 for the first retry
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(20_000, 100 * 2 ** attempt)
  return Math.round(ceiling / 2 + (random() * ceiling) / 2)
}

/** Longest time that a server's `Retry-After` is heeded. */
const LONGEST_ASKED_MS = 60_000

/**
 * Milliseconds to wait before a request is sent again: what the server asked for, within bounds, and {@link backoffMs} on
 * top, so that not all whom it told the same come back at once.
 */
export function retryDelayMs({ retryAfterMs = 0 }: Pick<ClientError, 'retryAfterMs'>, attempt: number): number {
  return Math.min(LONGEST_ASKED_MS, retryAfterMs) + backoffMs(attempt)
}

/** Waits; rejects with the signal's reason when it is aborted meanwhile. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
