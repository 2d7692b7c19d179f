import { castFailure } from '../../engine/java/java-class-text.ts'
import { fault } from '../../engine/script/script-fault.ts'
import { ScriptMap } from '../../engine/script/values/script-map.ts'
import { Box, classNameOf, type ScriptValue, textOf } from '../../engine/script/values/script-value.ts'
import { notOfRequests, REQUEST_MAP, SEARCH_REQUEST_CONTEXT } from '../../engine/script/write-contexts.ts'
import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { compileWriteScript, type WriteScript } from '../script/compile-write-script.ts'
import type { PipedMembers, PipedRequest, ProcessorFactory, RequestProcessor } from './processor.ts'

const SCRIPT_MEMBERS = ['id', 'source', 'inline', 'lang', 'params', 'options']

/** `script`: a script that changes what is asked besides the query. */
export const script: ProcessorFactory<RequestProcessor> = (config, queries) => {
  const given: Record<string, JsonValue> = {}
  for (const name of SCRIPT_MEMBERS) {
    const value = config.raw(name)
    if (value !== undefined) given[name] = value
  }
  const read = (): WriteScript => compiled(given, queries)
  let first: WriteScript
  try {
    first = read()
  } catch (error) {
    throw error instanceof ServiceError && error.type === 'script_exception' ? config.within(error) : error
  }
  const isStored = given['id'] !== undefined
  return (request) => {
    // What a stored script says may have changed since.
    const { compiled, params } = isStored ? read() : first
    const source = new SearchRequestMap(request)
    const ctx = new ScriptMap('hash', 'java.util.ImmutableCollections$Map1')
    ctx.put('_source', source)
    compiled.run({ ctx: new FixedMap(ctx), params })
    return source.request
  }
}

const compiled = (given: JsonValue, queries: QueryContext): WriteScript =>
  compileWriteScript(readScript(given, queries), SEARCH_REQUEST_CONTEXT, queries.engineVersion)

/** A map that scripts read and cannot change. */
class FixedMap extends ScriptMap {
  readonly #inner: ScriptMap

  constructor(inner: ScriptMap) {
    super('hash', inner.className, true)
    this.#inner = inner
  }

  override get(key: ScriptValue): ScriptValue {
    return this.#inner.get(key)
  }

  override has(key: ScriptValue): boolean {
    return this.#inner.has(key)
  }

  override size(): number {
    return this.#inner.size()
  }

  override ordered(): ReturnType<ScriptMap['ordered']> {
    return this.#inner.ordered()
  }
}

/** Java's class of each member that scripts may change. */
const KINDS: Readonly<Record<keyof PipedMembers | 'size', 'Integer' | 'Boolean' | 'Float'>> = {
  from: 'Integer',
  size: 'Integer',
  explain: 'Boolean',
  version: 'Boolean',
  seq_no_primary_term: 'Boolean',
  track_scores: 'Boolean',
  track_total_hits: 'Integer',
  min_score: 'Float',
  terminate_after: 'Integer',
  profile: 'Boolean',
}
/** Those that are never negative. */
const COUNTS = new Set(['from', 'size', 'terminate_after'])

/** What scripts see of a search, and change of it. */
class SearchRequestMap extends ScriptMap {
  #request: PipedRequest

  constructor(request: PipedRequest) {
    super('linked', REQUEST_MAP)
    this.#request = request
  }

  get request(): PipedRequest {
    return this.#request
  }

  override get(key: ScriptValue): ScriptValue {
    const name = this.#known(key)
    if (name === 'size') return this.#request.size
    const value = this.#request.members[name] ?? null
    return KINDS[name] === 'Float' && typeof value === 'number' ? new Box('float', value) : value
  }

  override put(key: ScriptValue, value: ScriptValue): ScriptValue {
    const name = this.#known(key)
    const before = this.get(name)
    const kind = KINDS[name]
    if (value === null) throw fault('NullPointerException', null)
    const found = classNameOf(value)
    if (found !== `java.lang.${kind}`) throw fault('ClassCastException', castFailure(found, `java.lang.${kind}`))
    if (COUNTS.has(name) && (value as number) < 0) throw negative(name, value)
    this.#request =
      name === 'size'
        ? { ...this.#request, size: value as number }
        : {
            ...this.#request,
            members: { ...this.#request.members, [name]: value instanceof Box ? value.value : value },
          }
    return before
  }

  override has(key: ScriptValue): boolean {
    return this.get(key) !== null
  }

  override size(): number {
    throw notOfRequests('size')
  }

  override remove(): ScriptValue {
    throw notOfRequests('remove')
  }

  override clear(): void {
    throw notOfRequests('clear')
  }

  override ordered(): ReturnType<ScriptMap['ordered']> {
    throw notOfRequests('entrySet')
  }

  #known(key: ScriptValue): keyof typeof KINDS {
    if (typeof key !== 'string') throw fault('IllegalArgumentException', 'key must be a String')
    if (Object.hasOwn(KINDS, key)) return key as keyof typeof KINDS
    throw fault(`${PACKAGE}.SearchRequestMapProcessingException`, `Unsupported key: ${key}`)
  }
}

const PACKAGE = 'org.opensearch.search.pipeline.common'

function negative(name: string, value: ScriptValue): Error {
  if (name === 'terminate_after') return fault('IllegalArgumentException', 'terminateAfter must be > 0')
  return fault('IllegalArgumentException', `[${name}] parameter cannot be negative, found [${textOf(value)}]`)
}
