/** How far a beginning may be from a text. */
export interface NearOptions {
  readonly edits: number
  readonly transpositions: boolean
  /** Of a text that is not asked for as it is, and of its beginning that is: in units. */
  readonly minLength: number
  readonly prefixLength: number
}

/** One text and a beginning: the last two rows of their edit distances, and the unit before. */
interface Distances {
  readonly read: number
  readonly row: readonly number[]
  readonly before: readonly number[]
  readonly unit: number
}

/** Tells when a beginning is near enough to one text. */
class NearText {
  readonly #text: readonly number[]
  readonly #options: NearOptions
  /** So many units have to be the same. */
  readonly #exact: number
  readonly #wanted: readonly number[]

  constructor(text: readonly number[], options: NearOptions) {
    const { edits, prefixLength, minLength } = options
    const isExact = edits === 0 || text.length <= prefixLength || text.length < minLength
    this.#text = text
    this.#options = options
    this.#exact = isExact ? text.length : prefixLength
    this.#wanted = text.slice(this.#exact)
  }

  get start(): Distances {
    return { read: 0, row: Array.from({ length: this.#wanted.length + 1 }, (_, i) => i), before: [], unit: -1 }
  }

  accepts({ read, row }: Distances): boolean {
    return read >= this.#exact && (row[this.#wanted.length] as number) <= this.#options.edits
  }

  step(distances: Distances, unit: number): Distances | undefined {
    const { read, row, before } = distances
    if (read < this.#exact) return this.#text[read] === unit ? { ...distances, read: read + 1 } : undefined
    const wanted = this.#wanted
    const { edits, transpositions } = this.#options
    const next = [(row[0] as number) + 1]
    let least = next[0] as number
    for (let j = 1; j <= wanted.length; j++) {
      const change = (row[j - 1] as number) + (unit === wanted[j - 1] ? 0 : 1)
      let distance = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1)
      const isSwapped = j > 1 && before.length > 0 && unit === wanted[j - 2] && distances.unit === wanted[j - 1]
      if (transpositions && isSwapped) distance = Math.min(distance, (before[j - 2] as number) + 1)
      next.push(distance)
      least = Math.min(least, distance)
    }
    return least > edits ? undefined : { read: read + 1, row: next, before: row, unit }
  }
}

/** What is known of a beginning: its distances to each text, undefined for those that it cannot be near to any more. */
export type NearState = readonly (Distances | undefined)[]

/** Reads beginnings unit by unit, and tells those that are near to any of some texts. */
export class NearBeginning {
  readonly #texts: readonly NearText[]
  readonly start: NearState

  constructor(texts: readonly (readonly number[])[], options: NearOptions) {
    this.#texts = texts.map((text) => new NearText(text, options))
    this.start = this.#texts.map(({ start }) => start)
  }

  /** Undefined: nothing that begins so comes near. */
  step(state: NearState, unit: number): NearState | undefined {
    const next = state.map((distances, i) => distances && this.#texts[i]?.step(distances, unit))
    return next.some((distances) => distances !== undefined) ? next : undefined
  }

  accepts(state: NearState): boolean {
    return state.some((distances, i) => distances !== undefined && this.#texts[i]?.accepts(distances))
  }
}
