import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** What the system is told: about a tenth of the first thread's share, where both want a core. */
const NICE = 10

/**
 * Lets other threads of the process go first where there are too few cores. On Linux priorities are a thread's own, and
 * `/proc/thread-self` names the one that asks; elsewhere nothing happens.
 */
export function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE)
  } catch {
    // Not this system, or not allowed: the thread works all the same.
  }
}
