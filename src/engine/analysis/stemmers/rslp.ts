/** A rule: suffix, least length of what stays, what replaces it, and words (or endings) it does not apply to. */
export type RslpRule = readonly [suffix: string, minStem: number, replacement: string, exceptions?: string]

/** A step of an RSLP stemmer: the first of its rules that fits applies. */
export interface RslpStep {
  /** Shorter words are left alone; 0: those too short for every rule. */
  readonly minLength: number
  /** Exceptions are whole words; otherwise endings. */
  readonly wholeExceptions: boolean
  /** Only words with one of these endings; empty: all. */
  readonly ends: string
  readonly rules: readonly RslpRule[]
}

/** Prepares a step. @source Orengo and Huyck, «A Stemming Algorithm for the Portuguese Language», 2001 (RSLP) */
export function rslpStep(step: RslpStep): (word: string) => string {
  const ends = step.ends === '' ? undefined : step.ends.split(' ')
  const rules = step.rules.map(([suffix, minStem, replacement, exceptions]) => ({
    suffix,
    minStem,
    replacement,
    exceptions: exceptions?.split(' ') ?? [],
  }))
  const minLength = step.minLength || Math.min(...rules.map((rule) => rule.minStem + rule.suffix.length))
  return (word) => {
    if (word.length < minLength || (ends !== undefined && !ends.some((end) => word.endsWith(end)))) return word
    for (const { suffix, minStem, replacement, exceptions } of rules) {
      if (word.length - suffix.length < minStem || !word.endsWith(suffix)) continue
      if (step.wholeExceptions ? exceptions.includes(word) : exceptions.some((end) => word.endsWith(end))) continue
      return word.slice(0, word.length - suffix.length) + replacement
    }
    return word
  }
}
