import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../write-whole.ts'
import { decodeIdentityValue, encodeIdentityValue } from './identity-value.ts'

/** Its file within the folder of the identities. */
const REVISION_FILE = 'revision'

/**
 * How far the identities have come, noted beside them: an older copy of their file would let keys in again that were removed.
 * It lags behind where a crash or a full disk kept it from being written, and is never ahead.
 */
export class RevisionNote {
  readonly path: string

  constructor(folder: string) {
    this.path = join(folder, REVISION_FILE)
  }

  /** The revision noted last; undefined when there is none, or none that can be read. */
  read(): number | undefined {
    try {
      return decodeIdentityValue(REVISION_FILE, readFileSync(this.path, 'utf8').trimEnd())?.value as number | undefined
    } catch {
      return undefined
    }
  }

  /** Notes a revision that is on disk. A change that was made does not fail for it. */
  write(revision: number): void {
    try {
      if ((this.read() ?? -1) < revision)
        writeWhole(this.path, `${encodeIdentityValue(REVISION_FILE, revision)}\n`, 0o600)
    } catch {
      // The next change notes it.
    }
  }
}
