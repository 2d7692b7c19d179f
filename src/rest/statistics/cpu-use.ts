import { cpus } from 'node:os'

/** A share is told of at least so long. */
const LEAST_MS = 1000

/** How busy something was since it was last asked about, in percent of all processors. */
class BusyShare {
  readonly #read: () => { readonly busy: number; readonly all: number }
  #last: { readonly busy: number; readonly all: number }
  #readAt = performance.now()
  #percent = 0

  /** @param read  what was spent working, and what there was to spend, in one unit */
  constructor(read: () => { readonly busy: number; readonly all: number }) {
    this.#read = read
    this.#last = read()
  }

  /** 0 to 100; the same again within a second. */
  get percent(): number {
    const now = performance.now()
    if (now - this.#readAt < LEAST_MS) return this.#percent
    const { busy, all } = this.#read()
    const spent = all - this.#last.all
    this.#percent = spent <= 0 ? 0 : Math.min(100, Math.round(((busy - this.#last.busy) * 100) / spent))
    this.#last = { busy, all }
    this.#readAt = now
    return this.#percent
  }
}

const PROCESSORS = cpus().length

const ofProcess = new BusyShare(() => {
  const { user, system } = process.cpuUsage()
  return { busy: user + system, all: performance.now() * 1000 * PROCESSORS }
})

const ofMachine = new BusyShare(() => {
  let [busy, all] = [0, 0]
  for (const { times } of cpus()) {
    const spent = times.user + times.nice + times.sys + times.irq
    busy += spent
    all += spent + times.idle
  }
  return { busy, all }
})

/** Of what this process did. */
export const processCpuPercent = (): number => ofProcess.percent
/** Of what the whole machine did. */
export const machineCpuPercent = (): number => ofMachine.percent
