import type { LmdbStore } from '../store/lmdb-store.ts'

/** Records that are removed in one go, and how often: enough for any writer, little enough not to be noticed. */
const REMOVED_AT_ONCE = 500
const INTERVAL_MS = 10

/**
 * Records on their way out of the store: replaced, deleted, or deletes themselves.
 *
 * A record goes once no view can show it (views are counted by the generation of segments they took), and once the
 * checkpoint has passed it: until then a replay after a crash learns from it alone what it replaced.
 */
export class RecordGarbage {
  readonly #store: LmdbStore
  readonly #indexNumber: number
  /** Open views by generation. */
  readonly #views = new Map<number, number>()
  /** What no view of this generation or a later one can show, oldest first. */
  #waiting: { readonly generation: number; readonly seqNos: readonly number[] }[] = []
  /** What no view can show, and the checkpoint has not passed. */
  #unflushed: number[] = []
  /** What nothing needs. */
  readonly #trash: number[] = []
  #checkpoint = -1
  #closed = false

  constructor(store: LmdbStore, indexNumber: number) {
    this.#store = store
    this.#indexNumber = indexNumber
  }

  /** Keeps what a view of a generation may show; answers how to let go of it. */
  hold(generation: number, current: () => number): () => void {
    this.#views.set(generation, (this.#views.get(generation) ?? 0) + 1)
    return () => {
      const left = (this.#views.get(generation) ?? 1) - 1
      if (left > 0) this.#views.set(generation, left)
      else this.#views.delete(generation)
      this.collect(current())
    }
  }

  /** Takes records that views of `generation` and later do not show. Generations ascend from call to call. */
  add(generation: number, seqNos: readonly number[]): void {
    if (seqNos.length > 0) this.#waiting.push({ generation, seqNos })
  }

  /** Takes records that no view shows. */
  addUnseen(seqNos: readonly number[]): void {
    for (const seqNo of seqNos) this.#sortOut(seqNo)
  }

  /** Lets go of what no view of today can show. */
  collect(generation: number): void {
    const oldest = Math.min(...this.#views.keys(), generation)
    while (this.#waiting.length > 0 && (this.#waiting[0] as { generation: number }).generation <= oldest) {
      for (const seqNo of this.#waiting.shift()?.seqNos ?? []) this.#sortOut(seqNo)
    }
  }

  /** A manifest with this checkpoint is on disk. */
  flushed(checkpoint: number): void {
    this.#checkpoint = checkpoint
    const unflushed = this.#unflushed
    this.#unflushed = []
    for (const seqNo of unflushed) this.#sortOut(seqNo)
  }

  /** Everything not yet removed: for a manifest to name, so that the next start goes on with it. */
  all(): number[] {
    return [...this.#trash, ...this.#unflushed, ...this.#waiting.flatMap((g) => g.seqNos)]
  }

  close(): void {
    this.#closed = true
  }

  #sortOut(seqNo: number): void {
    if (seqNo > this.#checkpoint) {
      this.#unflushed.push(seqNo)
      return
    }
    this.#trash.push(seqNo)
    if (this.#trash.length === 1) this.#removeLater()
  }

  /** Little by little: a bulk that replaces everything must not hold up the rest when its garbage goes. */
  #removeLater(): void {
    setTimeout(() => {
      if (this.#closed) return
      if (this.#store.failure === undefined) {
        for (const seqNo of this.#trash.splice(0, REMOVED_AT_ONCE)) {
          this.#store.removeDocument(this.#indexNumber, seqNo)
        }
      }
      if (this.#trash.length > 0) this.#removeLater()
    }, INTERVAL_MS).unref()
  }
}
