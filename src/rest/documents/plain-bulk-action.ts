import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'

/** An action line of the commonest form. */
export interface PlainAction {
  readonly action: 'index' | 'create'
  readonly index: string
  readonly type: string
  readonly id: string | undefined
  /** Undefined: the index counts. */
  readonly version: number | undefined
  readonly versionType: 'internal' | 'external' | 'external_gte'
  /** Where the next line begins. */
  readonly end: number
}

/** What such a line takes from its request. */
export interface PlainActionDefaults {
  readonly index: string | undefined
  readonly type: string | undefined
  /** Whether action lines may name a type. */
  readonly takesTypes: boolean
  /** Whether every index has types: an id is given then where one is to be created. */
  readonly typed: boolean
  readonly allowsIndex: boolean
  /** Called where a line names a type and types are on their way out. */
  noteType(): void
}

const LONGEST_LINE = 1_024
const LONGEST_ID = 512
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACE = 0x7d

/**
 * `{"index":{"_index":"…","_type":"…","_id":"…"}}` and the end of its line, any of the three left out, in ASCII and without
 * escapes; behind an id perhaps a version of the caller's, as a copied index has them.
 */
const PLAIN_ACTION =
  /^\{"(index|create)": ?\{(?:"_index": ?"([ !#-[\]-~]+)"(?:, ?(?=")|(?=\})))?(?:"_type": ?"([ !#-[\]-~]+)"(?:, ?(?=")|(?=\})))?(?:"_id": ?"([ !#-[\]-~]{1,512})"(?:, ?"version": ?([1-9]\d{0,14}), ?"version_type": ?"(external(?:_gte)?)")?)?\}\}\r?$/

/**
 * Reads action lines of the commonest form at one go. (Measured on movies: 0.6 instead of 5 µs an item.) A line that says the same
 * as the one before it, but for the id at its end, is not taken apart again.
 */
export class PlainActions {
  readonly #body: Buffer
  readonly #defaults: PlainActionDefaults
  /** A line that ends with an id. */
  #last: PlainAction | undefined
  #lastAt = 0
  /** What stands before its id, in bytes. */
  #lastPrefix = 0

  constructor(body: Buffer, defaults: PlainActionDefaults) {
    this.#body = body
    this.#defaults = defaults
  }

  /** The action line at a place; undefined: it is none of this form, or asks for what this cannot tell. */
  read(at: number): PlainAction | undefined {
    return this.#likeLast(at) ?? this.#readWhole(at)
  }

  #likeLast(at: number): PlainAction | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    const body = this.#body
    const idAt = at + this.#lastPrefix
    for (let i = at, like = this.#lastAt; i < idAt; i++, like++) if (body[i] !== body[like]) return undefined
    let idEnd = idAt
    for (let byte = body[idEnd]; byte !== QUOTE; byte = body[++idEnd])
      if (byte === undefined || byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return undefined
    if (idEnd === idAt || idEnd - idAt > LONGEST_ID || body[idEnd + 1] !== BRACE || body[idEnd + 2] !== BRACE)
      return undefined
    const lineEnd = body[idEnd + 3] === CARRIAGE_RETURN ? idEnd + 4 : idEnd + 3
    if (body[lineEnd] !== LINE_FEED || lineEnd - at > LONGEST_LINE) return undefined
    const { action, index, type, version, versionType } = last
    return { action, index, type, id: body.toString('latin1', idAt, idEnd), version, versionType, end: lineEnd + 1 }
  }

  #readWhole(at: number): PlainAction | undefined {
    const body = this.#body
    const end = body.indexOf(LINE_FEED, at)
    if (end < 0 || end - at > LONGEST_LINE) return undefined
    const line = body.toString('latin1', at, end)
    const match = PLAIN_ACTION.exec(line)
    if (match === null) return undefined
    const [, action, ownIndex, ownType, id, version, versionType = 'internal'] = match
    const defaults = this.#defaults
    if (action === 'create' && (version !== undefined || (id === undefined && defaults.typed))) return undefined
    if (ownIndex !== undefined && !defaults.allowsIndex) return undefined
    if (ownType !== undefined) {
      if (!defaults.takesTypes) return undefined
      defaults.noteType()
    }
    const index = ownIndex ?? defaults.index
    const type = ownType ?? defaults.type ?? '_doc'
    if (!index || (type.startsWith('_') && type !== '_doc' && type !== DEFAULT_TYPE)) return undefined
    const read: PlainAction = {
      action: action === 'create' ? 'create' : 'index',
      index,
      type,
      id,
      version: version === undefined ? undefined : Number(version),
      versionType: versionType as PlainAction['versionType'],
      end: end + 1,
    }
    if (id !== undefined && version === undefined) {
      this.#last = read
      this.#lastAt = at
      this.#lastPrefix = line.lastIndexOf('"}}') - id.length
    }
    return read
  }
}
