import { type ChildProcess, spawn } from 'node:child_process'
import { mainPath } from '../../scripts/domain-process.ts'
import type { TransferReport } from '../../src/transfer/transfer.ts'

/** How `chaja transfer` ended. */
export interface TransferEnd {
  readonly code: number | null
  readonly stderr: string
  /** Undefined when it did not come to its end. */
  readonly report: (TransferReport & { readonly rejectFile?: string }) | undefined
}

/** Starts `chaja transfer … --json` in a folder; `ended` settles when it has. */
export function startTransfer(
  args: readonly string[],
  options: { readonly folder: string; readonly env?: NodeJS.ProcessEnv | undefined },
): { readonly child: ChildProcess; readonly ended: Promise<TransferEnd> } {
  const child = spawn(process.execPath, [mainPath, 'transfer', ...args, '--json'], {
    cwd: options.folder,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const ended = new Promise<TransferEnd>((resolve) =>
    child.once('close', (code) =>
      resolve({ code, stderr, report: stdout === '' ? undefined : (JSON.parse(stdout) as TransferReport) }),
    ),
  )
  return { child, ended }
}

/** Runs `chaja transfer … --json` to its end. */
export function runTransfer(
  args: readonly string[],
  options: { readonly folder: string; readonly env?: NodeJS.ProcessEnv | undefined },
): Promise<TransferEnd> {
  return startTransfer(args, options).ended
}
