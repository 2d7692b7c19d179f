import { readFileSync, statSync } from 'node:fs'

/** What a block device did, in the kernel's units: operations, kilobytes, milliseconds. */
export interface DiskOperations {
  readonly device: string
  readonly reads: number
  readonly writes: number
  readonly readKilobytes: number
  readonly writtenKilobytes: number
  readonly readMs: number
  readonly writeMs: number
  /** Milliseconds that operations waited or were under way, added up. */
  readonly queueMs: number
  readonly busyMs: number
}

/** What the device that a folder lies on has done since this was made. */
export class DiskUse {
  readonly #folder: string
  readonly #first: DiskOperations | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#first = readOperations(folder)
  }

  /** Undefined where the folder lies on no device of its own (as in a container), or the system does not tell. */
  sinceStart(): DiskOperations | undefined {
    const now = readOperations(this.#folder)
    const first = this.#first
    if (now === undefined || first?.device !== now.device) return undefined
    return {
      device: now.device,
      reads: now.reads - first.reads,
      writes: now.writes - first.writes,
      readKilobytes: now.readKilobytes - first.readKilobytes,
      writtenKilobytes: now.writtenKilobytes - first.writtenKilobytes,
      readMs: now.readMs - first.readMs,
      writeMs: now.writeMs - first.writeMs,
      queueMs: now.queueMs - first.queueMs,
      busyMs: now.busyMs - first.busyMs,
    }
  }
}

/** A line of Linux's `/proc/diskstats`: major and minor number, name, then the counters; sectors are of 512 bytes. */
function readOperations(folder: string): DiskOperations | undefined {
  try {
    const device = BigInt.asUintN(64, statSync(folder, { bigint: true }).dev)
    // As glibc's gnu_dev_major and gnu_dev_minor take a number apart.
    const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n)
    const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n)
    const line = readFileSync('/proc/diskstats', 'utf8')
      .split('\n')
      .map((each) => each.trim().split(/\s+/))
      .find((fields) => fields[0] === String(major) && fields[1] === String(minor))
    if (line === undefined) return undefined
    const [reads, , readSectors, readMs, writes, , writtenSectors, writeMs, , busyMs, queueMs] = line
      .slice(3)
      .map(Number) as [number, number, number, number, number, number, number, number, number, number, number]
    return {
      device: line[2] as string,
      reads,
      writes,
      readKilobytes: readSectors / 2,
      writtenKilobytes: writtenSectors / 2,
      readMs,
      writeMs,
      queueMs,
      busyMs,
    }
  } catch {
    return undefined
  }
}
