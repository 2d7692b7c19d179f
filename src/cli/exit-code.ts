import { InvalidNameError } from '../access/identity/identity-names.ts'
import { ClientError } from '../client/client-error.ts'
import { UsageError } from './usage-error.ts'

/** What a command's end tells a script. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  rejectedDocuments: 3,
  findings: 3,
  verificationMismatch: 4,
  notPermitted: 5,
  interrupted: 130,
} as const

/** The exit codes in words, for help texts. */
export const EXIT_CODES =
  'Exit codes: 0 done, 1 failed, 2 wrong command line, 3 documents were refused, 4 two sides differ, 5 not permitted, 130 interrupted'

/** The exit code an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidNameError) return EXIT.usage
  if (error instanceof ClientError) {
    if (error.kind === 'configuration') return EXIT.usage
    if (error.status === 401 || error.status === 403) return EXIT.notPermitted
  }
  return EXIT.failed
}
