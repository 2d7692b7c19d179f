import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError } from '../../errors.ts'

/** Faults of suggestions that the real servers find where they make them for an index, when all of the body is read. */
export class LateFaults {
  #first: ServiceError | undefined

  /** Remembers a fault unless there is one. */
  note(fault: ServiceError): void {
    this.#first ??= fault.with({ inQueryPhase: true })
  }

  /** Reads what is looked at late; a fault in it is noted. */
  read<T>(read: () => T, fallback: T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.note(error)
      return fallback
    }
  }

  /** @throws {ServiceError} the first of them */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first
  }
}

/** A suggestion is asked for without anything to suggest for. */
export function textMissing(): ServiceError {
  return illegalInQueryPhase('The required text option is missing')
}
