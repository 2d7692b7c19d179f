import type { HttpDialect } from './http-dialect.ts'
import { InFlightBytes } from './in-flight-bytes.ts'

/** Room that bytes are taken of and given back to. */
export type Room = Pick<InFlightBytes, 'add' | 'release'>

/** What counts against one key, or one address. */
interface Holder {
  readonly bytes: InFlightBytes
  bodies: number
}

/**
 * Shares of the room for bodies while their signatures are not verified: to send them it takes no more than the id of a key. No
 * key and no address gets more than its share, so that the rest is left to others; but one body alone may be of any size.
 */
export class UnverifiedBytes {
  readonly #room: Room
  readonly #shareBytes: number
  readonly #dialect: HttpDialect
  readonly #holders = new Map<string, Holder>()

  constructor(room: Room, shareBytes: number, dialect: HttpDialect) {
    this.#room = room
    this.#shareBytes = shareBytes
    this.#dialect = dialect
  }

  /** A body that is about to be received, under the names it counts against: settled once, verified or not. */
  open(names: readonly string[]): UnverifiedBody {
    const holders = names.map((name) => {
      const known = this.#holders.get(name)
      const holder = known ?? { bytes: new InFlightBytes(this.#shareBytes, this.#dialect), bodies: 0 }
      if (known === undefined) this.#holders.set(name, holder)
      holder.bodies++
      return holder
    })
    return new UnverifiedBody(this.#room, holders, () => {
      for (const [i, holder] of holders.entries()) if (--holder.bodies === 0) this.#holders.delete(names[i] as string)
    })
  }
}

/** A body that counts against its key and its address until it is settled, and against the room until it is released. */
export class UnverifiedBody implements Room {
  readonly #room: Room
  readonly #holders: readonly Holder[]
  readonly #onSettled: () => void
  #bytes = 0
  #isSettled = false

  constructor(room: Room, holders: readonly Holder[], onSettled: () => void) {
    this.#room = room
    this.#holders = holders
    this.#onSettled = onSettled
  }

  /** @throws {WireError} circuit_breaking_exception when a share, or the room, would be exceeded; then nothing is added */
  add(bytes: number): void {
    this.#room.add(bytes)
    const added: Holder[] = []
    try {
      for (const holder of this.#holders) {
        holder.bytes.add(bytes, holder.bodies === 1)
        added.push(holder)
      }
    } catch (error) {
      for (const holder of added) holder.bytes.release(bytes)
      this.#room.release(bytes)
      throw error
    }
    this.#bytes += bytes
  }

  release(bytes: number): void {
    this.#room.release(bytes)
  }

  /** Verified, or refused: it counts against nobody any more. */
  settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    for (const holder of this.#holders) holder.bytes.release(this.#bytes)
    this.#onSettled()
  }
}
