/** Reads texts unit by unit: what it knows of a beginning, and whether that is enough for a match. */
export interface BeginningReader<State, Match> {
  readonly start: State
  /** What is known behind one more unit; undefined: nothing that begins so matches. */
  step(state: State, unit: number): State | undefined
  /** What a beginning matches, however the text goes on. @param units  of the beginning */
  match(state: State, units: readonly number[]): Match | undefined
}

/** Texts in their order, so that those of one beginning stand together. */
export interface SortedTexts {
  readonly count: number
  textAt(at: number): string
  /** How many UTF-16 units each has in common with the one before, whole characters. */
  readonly common: Uint32Array
}

export function sortedTexts(count: number, textAt: (at: number) => string): SortedTexts {
  const common = new Uint32Array(count)
  for (let at = 1; at < count; at++) common[at] = commonLength(textAt(at - 1), textAt(at))
  return { count, textAt, common }
}

/** A run of texts, the end exclusive, that match by the same beginning. */
export interface MatchedRun<Match> {
  readonly from: number
  readonly to: number
  readonly match: Match
}

/**
 * Walks texts in their order and finds the runs of those that match by the shortest beginning that does. What several texts
 * begin with is read once, and those behind a beginning that leads nowhere are passed over.
 *
 * @param unitsOf  what a character (by its code point) is read as
 */
export function* walkBeginnings<State, Match>(
  { count, textAt, common }: SortedTexts,
  unitsOf: (codePoint: number) => readonly number[],
  reader: BeginningReader<State, Match>,
): Generator<MatchedRun<Match>> {
  const ofNothing = reader.match(reader.start, [])
  if (ofNothing !== undefined) {
    if (count > 0) yield { from: 0, to: count, match: ofNothing }
    return
  }
  /** Of the text before: after how many of its UTF-16 units how many units were read, and what was known. */
  const known: { readonly at: number; readonly read: number; readonly state: State }[] = [
    { at: 0, read: 0, state: reader.start },
  ]
  const units: number[] = []
  for (let i = 0; i < count; ) {
    const text = textAt(i)
    while ((known.at(-1) as { at: number }).at > (common[i] as number)) known.pop()
    const last = known.at(-1) as (typeof known)[number]
    units.length = last.read
    let state: State | undefined = last.state
    let match: Match | undefined
    let at = last.at
    while (state !== undefined && match === undefined && at < text.length) {
      const codePoint = text.codePointAt(at) as number
      at += codePoint > 0xffff ? 2 : 1
      for (const unit of unitsOf(codePoint)) {
        state = reader.step(state as State, unit)
        if (state === undefined) break
        units.push(unit)
        match = reader.match(state, units)
        if (match !== undefined) break
      }
      if (state !== undefined && match === undefined) known.push({ at, read: units.length, state })
    }
    const isDecided = (state === undefined || match !== undefined) && !isHighSurrogate(text.charCodeAt(at - 1))
    const next = isDecided ? endOfRun(i, common, at) : i + 1
    if (match !== undefined) yield { from: i, to: next, match }
    i = next
  }
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let common = 0
  while (common < most && a.charCodeAt(common) === b.charCodeAt(common)) common++
  // Half a pair of surrogates is not what the whole one begins with.
  return common > 0 && isLowSurrogate(b.charCodeAt(common)) ? common - 1 : common
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** The first text behind `from` that has less in common with it. */
function endOfRun(from: number, common: Uint32Array, length: number): number {
  let at = from + 1
  while (at < common.length && (common[at] as number) >= length) at++
  return at
}
