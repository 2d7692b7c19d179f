/** The longest time, in ms, that a timer takes: one that is given more is over at once. Where so much is asked for, so much is waited. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A timer for a time that somebody asked for, however long. */
export const timerOf = (end: () => void, ms: number): NodeJS.Timeout => setTimeout(end, Math.min(ms, LONGEST_TIMER_MS))
