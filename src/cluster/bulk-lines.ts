import { Breather, inTurns } from '../breather.ts'
import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { writeJson } from '../rest/json/json-writer.ts'
import { tokenName } from '../token-name.ts'

/** One action of a bulk, its document as it came. */
export interface BulkLine {
  readonly action: string
  readonly meta: { readonly [name: string]: JsonValue }
  /** Absent for a deletion. */
  readonly source: Buffer | undefined
}

const ACTIONS: ReadonlySet<string> = new Set(['create', 'delete', 'index', 'update'])

const NEWLINE = Buffer.from('\n')

/** Takes a bulk apart, in turns with other requests. @throws {ServiceError} for an action that cannot be read */
export async function readBulkLines(body: Buffer): Promise<BulkLine[]> {
  const lines = splitLines(body, 'bulk')
  const items: BulkLine[] = []
  const breather = new Breather()
  for (let i = 0; i < lines.length; i++) {
    const others = breather.turn()
    if (others !== undefined) await others
    const line = lines[i] as Buffer
    if (line.toString('latin1').trim() === '') continue
    const [entry] = Object.entries(jsonObject(line, i + 1))
    const [action, meta] = entry ?? []
    if (action === undefined) throw malformed(i + 1, 'FIELD_NAME but found [END_OBJECT]')
    if (!ACTIONS.has(action)) {
      throw malformed(i + 1, `field [create], [delete], [index] or [update] but found [${action}]`)
    }
    if (!isObject(meta)) throw malformed(i + 1, `START_OBJECT or END_OBJECT but found [${tokenName(meta)}]`)
    const source = action === 'delete' ? undefined : lines[++i]
    if (source === undefined && action !== 'delete') break
    items.push({ action, meta, source })
  }
  return items
}

/** Puts a bulk together, in turns with other requests: every action on one line, which has one reading only; of none a blank line. */
export async function writeBulkLines(items: readonly BulkLine[]): Promise<Buffer> {
  if (items.length === 0) return NEWLINE
  const parts: Buffer[] = []
  await inTurns(items, ({ action, meta, source }) => {
    parts.push(Buffer.from(`${writeJson({ [action]: meta })}\n`))
    if (source !== undefined) parts.push(source, NEWLINE)
  })
  return Buffer.concat(parts)
}

/** One search of several. */
export interface SearchLines {
  readonly header: { readonly [name: string]: JsonValue }
  readonly body: Buffer
}

/** Takes several searches apart. @throws {ServiceError} for a header that cannot be read */
export function readSearchLines(body: Buffer): SearchLines[] {
  const lines = splitLines(body, 'msearch')
  const searches: SearchLines[] = []
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const line = lines[i] as Buffer
    const header = line.toString('latin1').trim() === '' ? {} : jsonObject(line, i + 1)
    searches.push({ header, body: lines[i + 1] as Buffer })
  }
  return searches
}

/** Puts several searches together; of none a blank line. */
export function writeSearchLines(searches: readonly SearchLines[]): Buffer {
  if (searches.length === 0) return NEWLINE
  return Buffer.concat(searches.flatMap(({ header, body }) => [Buffer.from(`${writeJson(header)}\n`), body, NEWLINE]))
}

function splitLines(body: Buffer, what: 'bulk' | 'msearch'): Buffer[] {
  if (body.length === 0) {
    throw new ServiceError(
      'parse_exception',
      `request body ${what === 'bulk' ? '' : 'or source parameter '}is required`,
    )
  }
  if (body.at(-1) !== 0x0a) {
    throw new ServiceError('illegal_argument_exception', `The ${what} request must be terminated by a newline [\n]`)
  }
  const lines: Buffer[] = []
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf(0x0a, from)
    lines.push(body.subarray(from, end))
    from = end + 1
  }
  return lines
}

function jsonObject(line: Buffer, number: number): { [name: string]: JsonValue } {
  const json = parseJson(line)
  if (!isObject(json)) throw malformed(number, `START_OBJECT but found [${tokenName(json)}]`)
  return json
}

function malformed(line: number, expected: string): ServiceError {
  return new ServiceError(
    'illegal_argument_exception',
    `Malformed action/metadata line [${line}], expected ${expected}`,
  )
}
