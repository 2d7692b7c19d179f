import { write, writeSync } from 'node:fs'

/** How long lines that may wait do so. */
const WAIT_MS = 500
/** Characters of lines from which on they wait no more. */
const ENOUGH = 4_096
/** Characters that wait at most where nothing can be written: what is logged beyond them is lost. */
const MOST = 2 ** 20

/**
 * Where the lines of a domain's log go: a file, often the standard error, which may be one on a disk that is full. What cannot be written
 * waits until it can be; it neither ends the domain nor fails what is being logged of.
 */
export class LogDestination {
  readonly #file: number
  readonly #isBuffered: boolean
  /** Lines to be written. */
  #waiting = ''
  /** What is left of those that are being written, or could not be. */
  #bytes: Buffer = Buffer.alloc(0)
  #isWriting = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param file        its descriptor
   * @param isBuffered  only the access log is worth a buffer: other lines are written at once, so that none is lost when the process is killed
   */
  constructor(file: number, isBuffered: boolean) {
    this.#file = file
    this.#isBuffered = isBuffered
  }

  write(line: string): void {
    if (this.#waiting.length < MOST) this.#waiting += line
    if (!this.#isBuffered) this.flushSync()
    else if (this.#waiting.length < ENOUGH) this.#later()
    else this.#writeBuffered()
  }

  /** Writes what waits, as far as it can be written now. */
  flushSync(): void {
    // What is under way may be written twice, rather than not at all.
    while (this.#take()) {
      try {
        this.#bytes = this.#bytes.subarray(writeSync(this.#file, this.#bytes))
      } catch (error) {
        this.#failed(error as NodeJS.ErrnoException)
        return
      }
    }
  }

  #writeBuffered(): void {
    if (this.#isWriting || !this.#take()) return
    this.#isWriting = true
    write(this.#file, this.#bytes, (error, written) => {
      this.#isWriting = false
      if (error !== null) return this.#failed(error)
      this.#bytes = this.#bytes.subarray(written)
      if (this.#bytes.length > 0 || this.#waiting.length >= ENOUGH) this.#writeBuffered()
    })
  }

  /** @returns whether there is something to be written */
  #take(): boolean {
    if (this.#bytes.length > 0) return true
    this.#bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    return this.#bytes.length > 0
  }

  #failed({ code }: NodeJS.ErrnoException): void {
    // Whoever read the other end of a pipe is gone for good.
    if (code === 'EPIPE') this.#bytes = Buffer.alloc(0)
    else this.#later()
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#isBuffered) this.#writeBuffered()
      else this.flushSync()
    }, WAIT_MS).unref()
  }
}
