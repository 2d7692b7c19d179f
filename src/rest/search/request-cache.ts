import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/** What of a search decides whether its answer is kept. */
export type KeepableBody = Pick<SearchBody, 'isPiped' | 'size' | 'suggest' | 'profile'>

/** What of an answer can be given again. */
export interface CachedAnswer {
  readonly hits: Json
  readonly aggregations?: Json
}

interface Entry {
  readonly answer: CachedAnswer
  /** What else than the first index' documents it depends on. */
  readonly rest: readonly WeakRef<object>[]
}

/** Answers to one state of an index, the least recently asked for first. */
interface Answers {
  readonly entries: Map<string, Entry>
  bytes: number
}

/** Text kept for one state of an index at most, and of one answer. */
const MAX_BYTES = 8 * 2 ** 20
const MAX_ANSWER_BYTES = 2 ** 20

/** Parameters that want an answer in another form, which is made from its parts. */
const FORMS = ['filter_path', 'format', 'human', 'error_trace', 'pretty', 'explain']

/**
 * Keyed by the segments of a view: a refresh that changes anything, or a merge, makes new ones, and what was kept for the
 * old ones goes with them.
 */
const answers = new WeakMap<object, Answers>()

/**
 * The answer to a search for no hits, from memory where the same was asked of the same documents before; as the real server
 * keeps them (`request_cache`).
 *
 * @param options  `maxBuckets`: what an answer must keep to; `form`: what tells it from other answers to the same request;
 *                 `count` is told of each search whose answer may be kept
 * @param compute  the answer; `whole` false: it was cut short and must not be kept
 */
export function throughCache(
  view: SearchView,
  body: KeepableBody,
  request: EndpointRequest,
  options: { readonly maxBuckets?: number; readonly form?: string; readonly count: (isHit: boolean) => void },
  compute: () => { readonly answer: CachedAnswer; readonly whole: boolean },
): CachedAnswer {
  const key = keyOf(view, body, request, options)
  const [first] = view.searchers
  if (key === undefined || first === undefined) {
    const { answer } = compute()
    if (isMissed(body, request, view)) options.count(false)
    return answer
  }
  const rest: object[] = [
    ...view.searchers.slice(1).map(({ segments }) => segments),
    ...view.searchers.map(({ mapping }) => mapping),
  ]
  const kept = answers.get(first.segments)
  const found = kept?.entries.get(key)
  if (
    found !== undefined &&
    found.rest.length === rest.length &&
    found.rest.every((ref, i) => ref.deref() === rest[i])
  ) {
    options.count(true)
    // Asked for again: the last to go.
    kept?.entries.delete(key)
    kept?.entries.set(key, found)
    return found.answer
  }
  const { answer, whole } = compute()
  options.count(false)
  // Stored queries look something up when they are run: whoever asks next may not read that.
  if (!whole || request.queries.lookup.hasLooked === true) return answer
  const text: CachedAnswer = {
    hits: new RawJson(writeJson(answer.hits)),
    ...(answer.aggregations === undefined ? {} : { aggregations: new RawJson(writeJson(answer.aggregations)) }),
  }
  keep(first.segments, key, { answer: text, rest: rest.map((object) => new WeakRef(object)) })
  return text
}

/** Bytes of the answers that this thread keeps of a view, which is released. */
export function keptBytes(view: IndexSearcher): number {
  const bytes = answers.get(view.segments)?.bytes ?? 0
  view.release()
  return bytes
}

function keep(segments: object, key: string, entry: Entry): void {
  const size = sizeOf(key, entry)
  if (size > MAX_ANSWER_BYTES) return
  const kept = answers.get(segments) ?? { entries: new Map<string, Entry>(), bytes: 0 }
  answers.set(segments, kept)
  const old = kept.entries.get(key)
  if (old !== undefined) kept.bytes -= sizeOf(key, old)
  kept.entries.delete(key)
  kept.entries.set(key, entry)
  kept.bytes += size
  for (const [oldest, gone] of kept.entries) {
    if (kept.bytes <= MAX_BYTES) break
    kept.entries.delete(oldest)
    kept.bytes -= sizeOf(oldest, gone)
  }
}

function sizeOf(key: string, { answer }: Entry): number {
  const length = (json: Json | undefined): number => (json instanceof RawJson ? json.text.length : 0)
  return key.length + length(answer.hits) + length(answer.aggregations) + 200
}

/**
 * Whether a search that has to be run counts as one whose answer was not there: the real servers keep it in whatever form it is
 * shown. From 7 on what is looked up is looked up first.
 */
function isMissed(body: KeepableBody, request: EndpointRequest, view: SearchView): boolean {
  if (!isKeepable(body, request, view)) return false
  return request.queries.lookup.hasLooked === true ? !request.dialect.typed : isInAnotherForm(request)
}

const isInAnotherForm = ({ parameters }: EndpointRequest): boolean => FORMS.some((name) => parameters.has(name))

/** Whether an answer may come from memory as far as the request says. */
function isWanted(body: KeepableBody, request: EndpointRequest, view: SearchView): boolean {
  return isKeepable(body, request, view) && !isInAnotherForm(request)
}

function isKeepable(body: KeepableBody, { parameters }: EndpointRequest, view: SearchView): boolean {
  if (body.isPiped || body.size > 0 || body.suggest !== undefined || body.profile) return false
  if (parameters.text('request_cache') === 'false') return false
  return !view.indices.some(({ settings }) => settings['index.requests.cache.enable'] === 'false')
}

/** «now» passes, chance is chance, scripts do what they like; a `wrapper`, and letters written as numbers, may be any of it. */
const CHANGING = /now|random|"index"|"(?:[a-z]+_)*script(?:_[a-z]+)*"|more_like_this|"wrapper"|\\u00[2-7]/

/** All that is asked; undefined where the answer may be another one the next time, or is not wanted from memory. */
function keyOf(
  view: SearchView,
  body: KeepableBody,
  request: EndpointRequest,
  { maxBuckets, form }: { readonly maxBuckets?: number; readonly form?: string },
): string | undefined {
  const { parameters } = request
  if (!isWanted(body, request, view) || request.queries.lookup.hasLooked === true) return undefined
  const indices = view.indices.map(({ name, aliases }) => [name, aliases])
  const text = request.body.toString('latin1')
  if (
    CHANGING.test(text) ||
    // A filter of an alias may look something up, too.
    CHANGING.test(JSON.stringify(indices)) ||
    [...parameters.values.values()].some((value) => CHANGING.test(value))
  ) {
    return undefined
  }
  return `${JSON.stringify([form, maxBuckets, indices, request.path, ...parameters.values])}${text}`
}
