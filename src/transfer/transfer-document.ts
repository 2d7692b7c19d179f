import { arrayElements, objectMembers, type Span } from './raw-json.ts'

/** A document on its way, its source as the very text it was received in. */
export interface TransferDocument {
  readonly index: string
  /** Undefined where the server or file has no types. */
  readonly type: string | undefined
  readonly id: string
  readonly routing: string | undefined
  readonly version: number | undefined
  /** JSON text of `_source`, on one line or several. */
  readonly source: string
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

/** Reads a search answer without parsing the sources. @throws {SyntaxError} when it is not one */
export function readHitPage(text: string): HitPage {
  const top = objectMembers(text, 0)
  const hitsSpan = top.get('hits')
  const list = hitsSpan === undefined ? undefined : objectMembers(text, hitsSpan.start).get('hits')
  if (list === undefined) throw new SyntaxError('the answer to a search has no hits')
  const elements = arrayElements(text, list.start)
  const documents: TransferDocument[] = []
  let lastSort: number | undefined
  let rising = true
  for (const element of elements) {
    const members = objectMembers(text, element.start)
    documents.push(readDocument(text, members))
    const sort = members.get('sort')
    if (sort !== undefined) {
      const position = (JSON.parse(slice(text, sort)) as number[])[0] as number
      rising &&= lastSort === undefined || position > lastSort
      lastSort = position
    }
  }
  const shards = top.get('_shards')
  return {
    documents,
    lastSort,
    rising,
    bytes: text.length,
    scrollId: value<string>(text, top, '_scroll_id'),
    failedShards: shards === undefined ? 0 : (value<number>(text, objectMembers(text, shards.start), 'failed') ?? 0),
    timedOut: value<boolean>(text, top, 'timed_out') ?? false,
  }
}

/** Reads one line of an NDJSON file (ours or elasticdump's). @throws {SyntaxError} when it is no document */
export function readDocumentLine(line: string): TransferDocument {
  return readDocument(line, objectMembers(line, 0))
}

/** The line of an NDJSON file that stands for a document. */
export function documentLine(document: TransferDocument): string {
  const head = JSON.stringify({
    _index: document.index,
    _type: document.type,
    _id: document.id,
    _routing: document.routing,
    _version: document.version,
  })
  return `${head.slice(0, -1)},"_source":${oneLine(document.source)}}`
}

/** JSON text without line breaks between its tokens (inside strings JSON has none). */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json
}

function readDocument(text: string, members: Map<string, Span>): TransferDocument {
  const source = members.get('_source')
  const id = value<string>(text, members, '_id')
  if (source === undefined || id === undefined) throw new SyntaxError('a document without _id or _source')
  return {
    index: value<string>(text, members, '_index') ?? '',
    type: value<string>(text, members, '_type'),
    id,
    routing: value<string>(text, members, '_routing') ?? value<string>(text, members, 'routing'),
    version: value<number>(text, members, '_version'),
    source: slice(text, source),
  }
}

function value<T>(text: string, members: Map<string, Span>, name: string): T | undefined {
  const span = members.get(name)
  return span === undefined ? undefined : (JSON.parse(slice(text, span)) as T)
}

const slice = (text: string, span: Span): string => text.slice(span.start, span.end)
