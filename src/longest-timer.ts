/** The longest time, in ms, that a timer takes: one that is given more is over at once. Where so much is asked for, so much is waited. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1
