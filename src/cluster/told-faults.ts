import { pipeline, Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type BackendResponse, bytesOf } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { type Json, writeJson } from '../rest/json/json-writer.ts'
import { QUOTELESS, type StoredPart, untoldReason } from '../rest/judge-stored.ts'
import { setOwn } from '../set-own.ts'
import type { CallerRights } from './caller-rights.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterClient } from './cluster-client.ts'
import { FaultFinder, type FoundFault } from './fault-finder.ts'
import { StoredTexts, textsIn } from './stored-texts.ts'

/** Endpoints whose answers tell of no fault where they succeed, and may hold what looks like one: documents, definitions. */
const FAULTLESS: ReadonlySet<string> = new Set([
  'create',
  'delete',
  'exists',
  'exists_source',
  'field_caps',
  'get',
  'get_script',
  'get_source',
  'index',
  'info',
  'ingest.get_pipeline',
  'mget',
  'mtermvectors',
  'ping',
  'put_script',
  'render_search_template',
  'search_pipeline.get',
  'termvectors',
])

/** Families of them. */
const FAULTLESS_FAMILY = /^(?:cat|cluster|indices|nodes|snapshot)\.(?!validate_query)/

/** A call whose answer is to be read. */
export interface WatchedCall {
  /** As it is sent: what it says is no secret to its caller. */
  readonly call: ClusterCall
  readonly endpoint: string
  /** What is stored that it is made of and that its caller may not read. */
  readonly madeOf: readonly StoredPart[]
  readonly rights: CallerRights
  readonly client: ClusterClient
}

/** Whether an answer may tell of faults. */
function mayTell({ endpoint }: WatchedCall, status: number): boolean {
  if (status >= 300) return true
  return !FAULTLESS.has(endpoint) && !FAULTLESS_FAMILY.test(endpoint)
}

/**
 * An answer as its caller may be told it: of faults of scripts that are stored where the caller may not read them, their names alone.
 *
 * @param answer  not compressed; it is passed on as a stream where it came as one
 * @throws {Error} a denial, where what is wrong is with what the call was made of
 * @throws {ServiceError} for an answer that cannot be read here
 */
export async function toldAnswer(answer: BackendResponse, watched: WatchedCall): Promise<BackendResponse> {
  const { status, headers, body } = answer
  const { madeOf, rights } = watched
  if (!mayTell(watched, status)) return answer
  if (status >= 400 && !QUOTELESS.has(status) && madeOf.length > 0) {
    if (body instanceof Readable) body.destroy()
    for (const { folder, name } of madeOf) rights.requireToRead(folder, name)
  }
  const type = headers['content-type']
  if (type !== undefined && !String(type).includes('json')) return plainAnswer(answer)
  const faults = new ToldFaults(watched)
  const finder = new FaultFinder()
  if (!(body instanceof Readable)) {
    const bytes = bytesOf(body)
    const told = await faults.told(finder.push(bytes))
    return told.length === 1 && told[0] === bytes ? answer : resized(answer, Buffer.concat(told))
  }
  const reading = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pieces = finder.push(chunk)
      if (pieces.every((piece) => Buffer.isBuffer(piece))) done(null, Buffer.concat(pieces))
      else
        faults.told(pieces).then(
          (told) => done(null, Buffer.concat(told)),
          (error: unknown) => done(error as Error),
        )
    },
  })
  const { 'content-length': _, ...rest } = headers
  return { status, headers: rest, body: pipeline(body, reading, () => {}) }
}

function resized(answer: BackendResponse, body: Buffer): BackendResponse {
  const { 'content-length': _, ...headers } = answer.headers
  return { ...answer, headers, body }
}

/** What is not JSON is passed on where it cannot be about scripts. */
async function plainAnswer(answer: BackendResponse): Promise<BackendResponse> {
  const { body } = answer
  const bytes = body instanceof Readable ? await buffer(body) : bytesOf(body)
  if (!bytes.includes('script')) return { ...answer, body: bytes }
  throw new ServiceError('illegal_argument_exception', 'what an answer tells of scripts is told in JSON alone')
}

/** Words the faults of one answer. */
class ToldFaults {
  readonly #watched: WatchedCall
  #stored: Promise<StoredTexts> | undefined
  #own: ReadonlySet<string> | undefined

  constructor(watched: WatchedCall) {
    this.#watched = watched
  }

  async told(pieces: readonly (Buffer | FoundFault)[]): Promise<Buffer[]> {
    const told: Buffer[] = []
    for (const piece of pieces) told.push(Buffer.isBuffer(piece) ? piece : await this.#toldFault(piece))
    return told
  }

  async #toldFault({ member, json, depth }: FoundFault): Promise<Buffer> {
    const { madeOf, client } = this.#watched
    const [part] = madeOf
    const isScripts = json.includes('"script') || json.includes('"position"')
    if (part === undefined && !isScripts) return json
    const fault = parseJson(json)
    let told = fault
    if (part !== undefined) told = kindsAlone(fault, member, untoldReason(part))
    else {
      this.#stored ??= StoredTexts.read(client)
      told = this.#withoutTexts(fault, await this.#stored)
    }
    if (told === fault) return json
    // As the answer is laid out.
    const isIndented = /^[{[]\s*\n/.test(json.toString('latin1', 0, 16))
    const text = writeJson(told as Json, isIndented)
    return Buffer.from(isIndented ? text.replaceAll('\n', `\n${'  '.repeat(depth)}`) : text)
  }

  /** @returns the same value where nothing in it is to be hidden */
  #withoutTexts(value: JsonValue, stored: StoredTexts): JsonValue {
    if (Array.isArray(value)) {
      const told = value.map((one) => this.#withoutTexts(one, stored))
      return told.every((one, i) => one === value[i]) ? value : told
    }
    if (!isObject(value)) return value
    const told: { [name: string]: JsonValue } = {}
    let isSame = true
    const { script } = value
    const isFault = typeof script === 'string' || Array.isArray(value['script_stack']) || isObject(value['position'])
    const name = isFault ? this.#nameFor(value, stored) : undefined
    for (const [key, one] of Object.entries(value) as [string, JsonValue][]) {
      if (name !== undefined && key === 'position') isSame = false
      else if (name !== undefined && key === 'script_stack') told[key] = []
      else if (name !== undefined && key === 'script') told[key] = name
      else setOwn(told, key, this.#withoutTexts(one, stored))
      isSame &&= told[key] === one
    }
    return isSame ? value : told
  }

  /** What is told of a script instead; undefined: its caller wrote it, or may read it where it is stored. */
  #nameFor(fault: { readonly [name: string]: unknown }, stored: StoredTexts): string | undefined {
    const { script } = fault
    // `filter_path` leaves parts alone.
    if (typeof script !== 'string') return ''
    const { rights } = this.#watched
    const isOwn = this.#ownTexts.has(script)
    // First: whoever writes or stores its name as a text must not be told it for that.
    if ((stored.isScript(script) || isOwn) && rights.mayReadOne('_scripts', script)) return undefined
    if (stored.isScript(script)) return script
    const places = stored.placesOf(script)
    if (places.some(({ folder, name }) => rights.mayReadOne(folder, name))) return undefined
    if (isOwn && quotesOnly(script, fault['script_stack'])) return undefined
    return this.#likeliest(places)?.name ?? (isOwn ? script : '')
  }

  /** Where a text is stored: the only place, or one that the call names. */
  #likeliest(places: readonly StoredPart[]): StoredPart | undefined {
    if (places.length < 2) return places[0]
    const { query } = this.#watched.call
    const named = new Set([...this.#ownTexts, ...query.values()])
    return places.find(({ name }) => named.has(name))
  }

  get #ownTexts(): ReadonlySet<string> {
    this.#own ??= writtenTexts(this.#watched.call)
    return this.#own
  }
}

/** Whether a stack tells nothing of a script that the text does not say: it shows parts of it, where in them, and what it called. */
function quotesOnly(text: string, stack: unknown): boolean {
  if (!Array.isArray(stack)) return true
  return stack.every((line) => {
    const shown = String(line)
    const isPlace =
      /^\s*\^---- HERE$/.test(shown) || /\((?:\w+\.java(?::\d+)?|Native Method|Unknown Source)\)$/.test(shown)
    return isPlace || text.includes(shown.replace(/^\.\.\. /, '').replace(/ \.\.\.$/, ''))
  })
}

/** Texts of a call, whatever lines it is in. */
function writtenTexts({ body, query }: ClusterCall): ReadonlySet<string> {
  const texts = new Set<string>()
  const add = (json: Buffer | string): boolean => {
    try {
      for (const text of textsIn(parseJson(json))) texts.add(text)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }
  if (body.length > 0 && !add(body)) for (const line of body.toString().split('\n')) if (line.trim() !== '') add(line)
  const source = query.get('source')
  if (source !== undefined) add(source)
  return texts
}

/** Faults without what they say: of a list of them each by itself. */
function kindsAlone(value: JsonValue, member: string, reason: string): JsonValue {
  const kind = (fault: JsonValue | undefined): JsonValue =>
    isObject(fault) ? { type: (fault['type'] ?? null) as JsonValue, reason } : reason
  if (member === 'error') {
    const alone = kind(value)
    return isObject(alone) ? { root_cause: [alone], ...alone } : alone
  }
  if (!Array.isArray(value)) return {}
  return value.map((failure) => {
    if (!isObject(failure)) return {}
    const told = { ...failure } as { [name: string]: JsonValue }
    for (const name of ['reason', 'cause', 'error']) if (name in told) told[name] = kind(told[name])
    return told
  })
}
