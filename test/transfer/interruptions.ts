import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTransfer, type TransferEnd } from './transfer-command.ts'

/** What it took to bring a transfer to its end. */
export interface InterruptedTransfer {
  /** How the last run ended; one into a file without its report where it was killed between its last step and that. */
  readonly end: TransferEnd
  /** How the runs before the last one ended: a signal, and whether they left a checkpoint. */
  readonly interruptions: readonly {
    readonly signal: NodeJS.Signals
    readonly afterMs: number
    readonly kept: boolean
  }[]
}

/**
 * Runs a transfer, interrupts it at a random moment, runs it again, perhaps interrupts it again, until it is done.
 *
 * @param file     the destination where it is a file
 * @param wholeMs  how long a run takes that nobody interrupts
 * @param random   from 0 to 1
 */
export async function transferWithInterruptions(
  args: readonly string[],
  options: {
    readonly folder: string
    readonly file: string | undefined
    readonly wholeMs: number
    readonly random: () => number
    readonly signals: readonly NodeJS.Signals[]
  },
): Promise<InterruptedTransfer> {
  const { folder, file, wholeMs, random, signals } = options
  const interruptions: { signal: NodeJS.Signals; afterMs: number; kept: boolean }[] = []
  for (;;) {
    const run = startTransfer(args, { folder })
    // At most five times: then a run may come to its end.
    if (interruptions.length === 5 || (interruptions.length > 0 && random() < 0.4)) {
      return { end: await run.ended, interruptions }
    }
    const signal = signals[Math.floor(random() * signals.length)] as NodeJS.Signals
    const afterMs = Math.round(random() * wholeMs)
    const timer = setTimeout(() => run.child.kill(signal), afterMs)
    const end = await run.ended
    clearTimeout(timer)
    // It may have been done before the signal came, also when it was told after its last step.
    if (end.code === 0 || end.report !== undefined) return { end, interruptions }
    if (signal !== 'SIGKILL' && end.code !== 130 && !(end.code === null && run.child.signalCode === signal)) {
      throw new Error(`a run told ${signal} after ${afterMs} ms ended with ${end.code}: ${end.stderr}`)
    }
    const kept = readdirSync(folder).some((name) => name.endsWith('.checkpoint.json'))
    interruptions.push({ signal, afterMs, kept })
    // A file has its name once it is whole: another run would say that it is there already.
    if (file !== undefined && existsSync(join(folder, file))) return { end, interruptions }
  }
}
