import {
  eachElement,
  eachMember,
  OPEN_BRACKET,
  oneLine,
  QUOTE,
  skipSpace,
  skipValue,
  stringAt,
} from '../digest/raw-json.ts'

/** A document on its way, its source as the very bytes it was received in. */
export interface TransferDocument {
  readonly index: string
  /** Undefined where the server or file has no types. */
  readonly type: string | undefined
  readonly id: string
  readonly routing: string | undefined
  /** Its digits: versions go up to 2^63. */
  readonly version: string | undefined
  /** JSON of `_source`, on one line. */
  readonly source: Buffer
}

/** A page of a search, unparsed but for what a transfer needs. */
export interface HitPage {
  readonly documents: readonly TransferDocument[]
  /** Sort value of the last hit (a sequence number), for the next page. */
  readonly lastSort: number | undefined
  /** Sort values rise from hit to hit. */
  readonly rising: boolean
  /** Length of the answer. */
  readonly bytes: number
  readonly scrollId: string | undefined
  readonly failedShards: number
  readonly timedOut: boolean
}

/**
 * Reads a search answer without parsing the sources: they are stretches of the answer's own memory.
 *
 * @throws {SyntaxError} when it is not one
 */
export function readHitPage(answer: Buffer): HitPage {
  const reader = new HitReader(answer)
  const documents: TransferDocument[] = []
  let lastSort: number | undefined
  let rising = true
  const readHit = (start: number) => {
    documents.push(reader.read(start))
    const { sort } = reader
    if (sort !== undefined) {
      rising &&= lastSort === undefined || sort > lastSort
      lastSort = sort
    }
    return reader.end
  }
  let list = false
  const top = new Map<string, unknown>()
  eachMember(answer, 0, (nameStart, nameEnd, start) => {
    const name = answer.toString('latin1', nameStart, nameEnd)
    if (name === 'hits') {
      return eachMember(answer, start, (innerStart, innerEnd, at) => {
        if (answer.toString('latin1', innerStart, innerEnd) !== 'hits') return skipValue(answer, at)
        list = true
        return eachElement(answer, at, readHit)
      })
    }
    const end = skipValue(answer, start)
    if (TOP.has(name)) top.set(name, JSON.parse(answer.toString('utf8', start, end)))
    return end
  })
  if (!list) throw new SyntaxError('the answer to a search has no hits')
  return {
    documents,
    lastSort,
    rising,
    bytes: answer.length,
    scrollId: top.get('_scroll_id') as string | undefined,
    failedShards: (top.get('_shards') as { failed?: number } | undefined)?.failed ?? 0,
    timedOut: top.get('timed_out') === true,
  }
}

/** Members of an answer, beside its hits, that say whether it is whole and how to go on. */
const TOP = new Set(['_scroll_id', '_shards', 'timed_out'])

/** Reads one line of an NDJSON file (ours or elasticdump's). @throws {SyntaxError} when it is no document */
export function readDocumentLine(line: Buffer): TransferDocument {
  return new HitReader(line).read(0)
}

/** The line of an NDJSON file that stands for a document, without its line break. */
export function documentLine(document: TransferDocument): Buffer {
  const head = JSON.stringify({
    _index: document.index,
    _type: document.type,
    _id: document.id,
    _routing: document.routing,
  })
  const version = document.version === undefined ? '' : `,"_version":${document.version}`
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)}${version},"_source":`), document.source, CLOSE])
}

const CLOSE = Buffer.from('}')

const NOWHERE = -1

/** Members of a hit that a transfer reads, and where each one's place is kept. */
const NAMES = ['_index', '_type', '_id', '_routing', '_version', '_source', 'sort', 'routing'].map((n) =>
  Buffer.from(n),
)
const INDEX = 0
const TYPE = 1
const ID = 2
const ROUTING = 3
const VERSION = 4
const SOURCE = 5
const SORT = 6
/** Of files that say it so. */
const OTHER_ROUTING = 7

/** Reads the hits of one answer; what they have in common (index, type) becomes one string. */
class HitReader {
  /** First sort value of the last hit. */
  sort: number | undefined
  /** Where the last hit ends. */
  end = 0
  readonly #json: Buffer
  /** Line breaks stand in the answer: between the tokens of a source, too, perhaps. */
  readonly #broken: boolean
  readonly #index = new RepeatedString()
  readonly #type = new RepeatedString()
  /** Where the members of the hit at hand begin and end, by name. */
  readonly #starts = new Int32Array(NAMES.length)
  readonly #ends = new Int32Array(NAMES.length)

  constructor(json: Buffer) {
    this.#json = json
    this.#broken = json.includes(0x0a) || json.includes(0x0d)
  }

  read(at: number): TransferDocument {
    const json = this.#json
    const starts = this.#starts.fill(NOWHERE)
    const ends = this.#ends
    this.end = eachMember(json, at, this.#visit)
    const id = this.#text(ID)
    if (id === undefined) throw new SyntaxError('a document without _id (chaja bulk --index takes such)')
    if (starts[SOURCE] === NOWHERE) throw new SyntaxError(`document [${id}] has no _source`)
    const source = json.subarray(starts[SOURCE], ends[SOURCE])
    this.sort = this.#number(SORT)
    return {
      index: this.#index.at(json, starts[INDEX] as number, ends[INDEX] as number) ?? '',
      type: this.#type.at(json, starts[TYPE] as number, ends[TYPE] as number),
      id,
      routing: this.#text(ROUTING) ?? this.#text(OTHER_ROUTING),
      version: this.#digits(VERSION),
      source: this.#broken ? oneLine(source) : source,
    }
  }

  readonly #visit = (nameStart: number, nameEnd: number, start: number): number => {
    const end = skipValue(this.#json, start)
    const name = nameAt(this.#json, nameStart, nameEnd)
    if (name !== NOWHERE) {
      this.#starts[name] = start
      this.#ends[name] = end
    }
    return end
  }

  /** A string, or what else stands there as one (a number for an id); undefined for null. */
  #text(name: number): string | undefined {
    const start = this.#starts[name] as number
    if (start === NOWHERE) return undefined
    const end = this.#ends[name] as number
    if (this.#json[start] === QUOTE) return stringAt(this.#json, start, end)
    const other = this.#json.toString('utf8', start, end)
    return other === 'null' ? undefined : other
  }

  #digits(name: number): string | undefined {
    const text = this.#text(name)
    return text !== undefined && /^\d+$/.test(text) ? text : undefined
  }

  /** A number, or the first of a list. */
  #number(name: number): number | undefined {
    const start = this.#starts[name] as number
    if (start === NOWHERE) return undefined
    const json = this.#json
    const first = json[start] === OPEN_BRACKET ? skipSpace(json, start + 1) : start
    const read = Number(json.toString('latin1', first, skipValue(json, first)))
    return Number.isNaN(read) ? undefined : read
  }
}

/** Which of {@link NAMES} stands there. Servers write them without escapes. */
function nameAt(json: Buffer, start: number, end: number): number {
  next: for (let n = 0; n < NAMES.length; n++) {
    const name = NAMES[n] as Buffer
    if (name.length !== end - start) continue
    for (let k = 0; k < name.length; k++) if (json[start + k] !== name[k]) continue next
    return n
  }
  return NOWHERE
}

/** A string that is mostly the one before it. */
class RepeatedString {
  #bytes: Buffer = Buffer.alloc(0)
  #text: string | undefined

  at(json: Buffer, start: number, end: number): string | undefined {
    if (start === NOWHERE || json[start] !== QUOTE) return undefined
    if (this.#text === undefined || !sameBytes(json, start, end, this.#bytes)) {
      this.#text = stringAt(json, start, end)
      this.#bytes = json.subarray(start, end)
    }
    return this.#text
  }
}

function sameBytes(json: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false
  for (let k = 0; k < bytes.length; k++) if (json[start + k] !== bytes[k]) return false
  return true
}
