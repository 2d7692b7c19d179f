const NOTHING: readonly unknown[] = []

/**
 * A value of a script that is an object: what hosts offer to scripts, and the language's own collections, dates and the
 * like. A script reaches only what the {@link ScriptClass} of its `className` lists; never a JavaScript property.
 */
export abstract class ScriptObject {
  /** Java's name of the class, `java.util.ArrayList`: the class table is asked for it, and messages quote it. */
  abstract readonly className: string

  /** Whether a text stands for it in JSON, as dates' do: {@link jsonText}. */
  get isJsonText(): boolean {
    return false
  }

  get jsonText(): string {
    return this.toText()
  }

  /** Whether its text is a number of JSON. */
  get isJsonNumber(): boolean {
    return false
  }

  /** Of a number larger than a Long or more exact than a Double: cut to 64 bits, and as a double; undefined: it is no number. */
  get number(): { readonly whole: bigint; readonly double: number } | undefined {
    return undefined
  }

  /** The values that it keeps. */
  kept(): Iterable<unknown> {
    return NOTHING
  }

  /** Java's `toString()`. */
  toText(): string {
    return `${this.className}@${this.hash().toString(16)}`
  }

  /** Java's `equals()`. */
  isEqual(other: unknown): boolean {
    return this === other
  }

  /** Java's `hashCode()`. */
  hash(): number {
    return 0x1b2c3d
  }

  /** What stands for the object as key of a map: equal objects have the same, as JavaScript's `Map` compares. */
  key(): unknown {
    return this
  }

  /** Java's `compareTo()`; undefined: the two cannot be compared. */
  compare(_other: unknown): number | undefined {
    return undefined
  }
}
