import type { TransferProgress } from '../transfer/document-run.ts'
import type { Output } from './output.ts'

const BAR_CELLS = 24
const TERMINAL_EVERY_MS = 100
const LOG_EVERY_MS = 5_000

/** From when on it is said that nothing has come, as while a server is waited for. */
const STALL_MS = 5_000

/** Shows a transfer's progress on stderr: a line that is rewritten on a terminal, a line every few seconds elsewhere. */
export class ProgressLine {
  readonly #output: Output
  readonly #terminal = process.stderr.isTTY ?? false
  readonly #started = performance.now()
  #shownAt = 0
  #firstRead: number | undefined
  #open = false
  #stall: NodeJS.Timeout | undefined

  constructor(output: Output) {
    this.#output = output
  }

  show(progress: TransferProgress): void {
    if (this.#output.quiet) return
    this.#firstRead ??= progress.read
    this.#write(progress)
    const movedAt = performance.now()
    clearInterval(this.#stall)
    this.#stall = setInterval(() => {
      const stalledMs = performance.now() - movedAt
      if (stalledMs >= STALL_MS) this.#write(progress, `nothing new for ${duration(stalledMs / 1000)} · `)
    }, 1000)
  }

  #write(progress: TransferProgress, first = ''): void {
    const now = performance.now()
    if (now - this.#shownAt < (this.#terminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return
    this.#shownAt = now
    const run = { seconds: (now - this.#started) / 1000, resumedAt: this.#firstRead ?? 0 }
    // In front, where a narrow terminal shows it.
    const line = first + progressText(progress, run)
    if (this.#terminal) {
      process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns || 120) - 1)}`)
      this.#open = true
    } else process.stderr.write(`${line}\n`)
  }

  /** Leaves the line. */
  end(): void {
    clearInterval(this.#stall)
    if (this.#open) process.stderr.write('\n')
    this.#open = false
  }
}

/** `[#####-----] 512,400 / 1,024,880 docs · 50% · 8.3 k/s · 41 MiB/s · ETA 1m02s · rejected 0 · retries 3` */
export function progressText(
  progress: TransferProgress,
  run: { readonly seconds: number; readonly resumedAt: number },
): string {
  if (progress.phase === 'verification') return 'comparing both sides …'
  const { total, read, rejected, retries, bytes } = progress
  const rate = (read - run.resumedAt) / Math.max(run.seconds, 0.001)
  const parts: string[] = []
  if (total === undefined) parts.push(`${read.toLocaleString('en')} docs`)
  else {
    const share = total === 0 ? 1 : Math.min(1, read / total)
    const filled = Math.round(share * BAR_CELLS)
    parts.push(
      `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}] ${read.toLocaleString('en')} / ${total.toLocaleString('en')} docs`,
    )
    parts.push(`${Math.floor(share * 100)}%`)
  }
  parts.push(rate >= 1000 ? `${(rate / 1000).toFixed(1)} k/s` : `${Math.round(rate)}/s`)
  parts.push(`${(bytes / 1_048_576 / Math.max(run.seconds, 0.001)).toFixed(1)} MiB/s`)
  if (total !== undefined && rate > 0) parts.push(`ETA ${duration(Math.max(0, total - read) / rate)}`)
  parts.push(`rejected ${rejected}`, `retries ${retries}`)
  return parts.join(' · ')
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole}s`
  const pad = (n: number) => String(n).padStart(2, '0')
  if (whole < 3600) return `${Math.floor(whole / 60)}m${pad(whole % 60)}s`
  return `${Math.floor(whole / 3600)}h${pad(Math.floor((whole % 3600) / 60))}m`
}
