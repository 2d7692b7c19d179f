/** How an answer tells where in the body a fault lies. */
const PLACES = /\[\d+:\d+\] |\n at \[Source: [^\n]*/g

/** How many texts and errors of answers tell places, and what of it ours do not. */
export class PlaceCount {
  all = 0
  readonly untold: string[] = []

  get told(): number {
    return this.all - this.untold.length
  }

  note(text: unknown, isTold: boolean): void {
    this.all++
    if (!isTold) this.untold.push(String(text))
  }
}

/**
 * A real server's answer without the places that ours does not tell, text by text and error by error: a place that is told has to be
 * the real server's. Where there is nothing to tell places of, neither may.
 *
 * @param count  added to
 */
export function asFarAsTold(real: unknown, ours: unknown, count = new PlaceCount()): unknown {
  if (typeof real === 'string') {
    const bare = real.replace(PLACES, '')
    if (bare === real) return real
    const isTold = typeof ours === 'string' && ours.replace(PLACES, '') !== ours
    count.note(bare, isTold)
    return isTold ? real : bare
  }
  if (Array.isArray(real)) return real.map((item, i) => asFarAsTold(item, Array.isArray(ours) ? ours[i] : null, count))
  if (typeof real !== 'object' || real === null) return real
  const other = (typeof ours === 'object' && ours !== null ? ours : {}) as { readonly [name: string]: unknown }
  const { line, col, ...rest } = real as { readonly [name: string]: unknown }
  const members = Object.entries(rest).map(([name, member]) => [name, asFarAsTold(member, other[name], count)])
  if (!isPlace(line, col)) return Object.fromEntries(line === undefined ? members : [...members, ['line', line]])
  const isTold = isPlace(other['line'], other['col'])
  count.note(rest['reason'], isTold)
  return Object.fromEntries(isTold ? [...members, ['line', line], ['col', col]] : members)
}

const isPlace = (line: unknown, col: unknown): boolean => [line, col].every((n) => /^#?\d+$/.test(String(n)))
