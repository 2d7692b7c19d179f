import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { ClientError } from '../client/client-error.ts'
import { fileProblem } from '../file-problem.ts'
import { isObject } from '../is-object.ts'

/** How far a transfer has come: what is written to the destination and need not be read again. */
export interface CheckpointState {
  /** What is moved where: a checkpoint of another transfer is refused. */
  readonly source: string
  readonly destination: string
  /** Of the source index: positions are those of this very one. */
  readonly sourceUuid?: string | undefined
  /** Settings and mappings are in place. */
  schemaDone: boolean
  /** Position behind the last batch written, by part. */
  positions: Record<string, number>
  partsDone: number[]
  read: number
  written: number
  rejected: number
  /** Bytes of a destination file that belong to finished batches; what is behind them is cut off on resuming. */
  fileBytes: number
  /** Bytes of a destination file before its first document. */
  headerBytes: number
  /** Bytes of the file of refused documents that belong to finished batches. */
  rejectBytes: number
  /** Digest of the documents written, where one is wanted: `DocumentSetDigest.toText`. */
  digest?: string
  /** It is of the documents as they are stored: id of what those are compressed with. */
  digestOf?: string
  /** Indices made with settings for filling them, and the settings they get when that is done: `settingsAfterLoad`. */
  loading?: Record<string, Readonly<Record<string, unknown>>>
}

/** Version of the file; raised when an older chaja would go on wrongly from it. */
const CHECKPOINT_FORMAT = 1

/** What a run that is killed may have to write again; harmless, since writing again changes nothing. */
const SAVE_EVERY_MS = 250

/**
 * A transfer's checkpoint file: JSON with a checksum, replaced as a whole at every step, removed when the transfer is done.
 */
export class Checkpoint {
  readonly path: string
  readonly state: CheckpointState
  readonly resumed: boolean
  #savedAt = Number.NEGATIVE_INFINITY

  /**
   * Opens a checkpoint, going on with the one that is there.
   *
   * @throws {ClientError} kind `configuration` when the file belongs to another transfer or is no checkpoint
   */
  constructor(path: string, ends: Pick<CheckpointState, 'source' | 'destination' | 'sourceUuid'>) {
    this.path = path
    const found = readState(path)
    if (found !== undefined && (found.source !== ends.source || found.destination !== ends.destination)) {
      throw new ClientError(
        'configuration',
        `${path} is the checkpoint of ${found.source} → ${found.destination}: remove it or name another with --checkpoint`,
      )
    }
    if (found !== undefined && found.sourceUuid !== ends.sourceUuid) {
      throw new ClientError(
        'configuration',
        `${path} is the checkpoint of another index of the name, which ${found.source} was then: remove it to begin anew`,
      )
    }
    this.resumed = found !== undefined
    this.state = found ?? {
      ...ends,
      schemaDone: false,
      positions: {},
      partsDone: [],
      read: 0,
      written: 0,
      rejected: 0,
      fileBytes: 0,
      headerBytes: 0,
      rejectBytes: 0,
    }
  }

  /** {@link save}, but not so often that waiting for the disk slows the run. */
  saveNowAndThen(): void {
    if (performance.now() - this.#savedAt >= SAVE_EVERY_MS) this.save()
  }

  /** Makes the state what a later run goes on with. */
  save(): void {
    const draft = `${this.path}.new`
    try {
      const sealed = { format: CHECKPOINT_FORMAT, checksum: checksumOf(this.state), ...this.state }
      writeFileSync(draft, `${JSON.stringify(sealed)}\n`, { mode: 0o600, flush: true } as object)
      renameSync(draft, this.path)
    } catch (cause) {
      rmSync(draft, { force: true })
      throw unwritable(this.path, cause)
    }
    this.#savedAt = performance.now()
  }

  remove(): void {
    rmSync(this.path, { force: true })
  }
}

/** The error of a file that a run cannot go on without: a full disk, for one. */
export function unwritable(path: string, cause: unknown): ClientError {
  return new ClientError('response', `cannot write ${path}: ${fileProblem(cause)}`, { cause })
}

function readState(path: string): CheckpointState | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ClientError('configuration', `cannot read ${path}: ${fileProblem(cause)}`, { cause })
  }
  const refused = (why: string) =>
    new ClientError('configuration', `${path} ${why}: remove it or name another with --checkpoint`)
  const sealed = parsed(text)
  if (!isObject(sealed)) throw refused('is not a checkpoint')
  // Those of earlier versions have neither.
  const { format, checksum, ...state } = sealed
  if (typeof format === 'number' && format > CHECKPOINT_FORMAT)
    throw refused('is a checkpoint that a newer chaja wrote')
  if (!isState(state)) throw refused('is not a checkpoint')
  const isEarlier = format === undefined && checksum === undefined
  if (!isEarlier && (format !== CHECKPOINT_FORMAT || checksum !== checksumOf(state)))
    throw refused('is damaged, or was edited, and would leave documents out')
  return state
}

/** Undefined for what is no JSON: half a file is no checkpoint either. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** By its text, in which numbers of parts are in order. */
function checksumOf(state: CheckpointState): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)
}

/** Whether it is all that a run goes on with: a file that was edited may lack some of it. */
function isState(value: unknown): value is CheckpointState {
  if (!isObject(value) || !isObject(value['positions']) || !Array.isArray(value['partsDone'])) return false
  const { source, destination, positions, partsDone, digest = '', digestOf = '', loading = {} } = value
  const counts = ['read', 'written', 'rejected', 'fileBytes', 'headerBytes', 'rejectBytes'].map((name) => value[name])
  return (
    [source, destination, digest, digestOf].every((text) => typeof text === 'string') &&
    typeof value['schemaDone'] === 'boolean' &&
    isObject(loading) &&
    Object.values(loading).every(isObject) &&
    counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
    [...Object.values(positions), ...partsDone].every(Number.isSafeInteger)
  )
}
