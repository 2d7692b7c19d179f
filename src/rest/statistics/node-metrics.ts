import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { freemem, loadavg, totalmem } from 'node:os'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'

/** Memory of the machine, bytes. */
export interface MemoryMetrics {
  readonly total: number
  readonly free: number
  readonly used: number
  readonly freePercent: number
  readonly usedPercent: number
}

/** What the machine has now; reading it costs two calls of the system. */
export function memoryMetrics(): MemoryMetrics {
  const total = totalmem()
  const free = freemem()
  const usedPercent = Math.round(((total - free) * 100) / total)
  return { total, free, used: total - free, freePercent: 100 - usedPercent, usedPercent }
}

/** Heap of the process, bytes. */
export function heapMetrics(): {
  readonly used: number
  readonly committed: number
  readonly max: number
  readonly usedPercent: number
} {
  const heap = getHeapStatistics()
  return {
    used: heap.used_heap_size,
    committed: heap.total_heap_size,
    max: heap.heap_size_limit,
    usedPercent: Math.round((heap.used_heap_size * 100) / heap.heap_size_limit),
  }
}

/** Bytes in the heap by age, under the names that tools know; nothing survives apart from the young. */
export function heapPools(): Readonly<
  Record<'young' | 'survivor' | 'old', { readonly used: number; readonly max: number }>
> {
  const spaces = getHeapSpaceStatistics()
  const young = spaces.find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0
  const all = spaces.reduce((sum, space) => sum + space.space_used_size, 0)
  return {
    young: { used: young, max: 0 },
    survivor: { used: 0, max: 0 },
    old: { used: all - young, max: heapMetrics().max },
  }
}

/** File systems by the number that statfs(2) tells. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  61267: 'ext4',
  16914836: 'tmpfs',
  26985: 'nfs',
  1481003842: 'xfs',
  2035054128: 'overlay',
  2435016766: 'btrfs',
}

/** The file system that holds the data directory, bytes; undefined where it cannot be asked. */
export function diskMetrics(
  dataDir: string,
): { readonly type: string; readonly total: number; readonly free: number; readonly available: number } | undefined {
  try {
    const fs = statfsSync(dataDir)
    return {
      type: FILE_SYSTEMS[fs.type] ?? String(fs.type),
      total: fs.blocks * fs.bsize,
      free: fs.bfree * fs.bsize,
      available: fs.bavail * fs.bsize,
    }
  } catch {
    return undefined
  }
}

/** Files the process has open and may have; -1 where the system does not tell. */
export function fileMetrics(): { readonly open: number; readonly max: number } {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? -1)
    return { open: readdirSync('/proc/self/fd').length, max }
  } catch {
    return { open: -1, max: -1 }
  }
}

let mostThreads = 1

/** Threads of the process, V8's own among them, and the most there were when somebody asked. */
export function threadMetrics(): { readonly count: number; readonly peak: number } {
  const count = ofKernel('/proc/self/status', 'Threads') ?? 1
  mostThreads = Math.max(mostThreads, count)
  return { count, peak: mostThreads }
}

/** Address space of the process in bytes; what is resident where the system does not tell. */
export function virtualBytes(): number {
  const kilobytes = ofKernel('/proc/self/status', 'VmSize')
  return kilobytes === undefined ? process.memoryUsage.rss() : kilobytes * 1024
}

/** Swap of the machine, bytes; none where the system does not tell. */
export function swapMetrics(): { readonly total: number; readonly free: number } {
  const [total = 0, free = 0] = ['SwapTotal', 'SwapFree'].map((name) => ofKernel('/proc/meminfo', name))
  return { total: total * 1024, free: free * 1024 }
}

/** A number that Linux tells in lines `name: number`. */
function ofKernel(file: string, name: string): number | undefined {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}

/** Load of the last 1, 5 and 15 minutes. */
export function loadMetrics(): readonly [number, number, number] {
  return loadavg().map((l) => Math.round(l * 100) / 100) as unknown as [number, number, number]
}
