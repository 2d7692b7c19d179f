import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import { isStreamLeftOut } from '../../engine/metadata/resolve-indices.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { readIndex } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { answerTermVectors } from '../term-vectors/answer-term-vectors.ts'
import { optionsOfBody, optionsOfParameters, type TermVectorsOptions } from '../term-vectors/term-vectors-options.ts'
import { listInTurns } from '../turns/list-in-turns.ts'

/** `GET|POST /_mtermvectors` and its paths: the terms of several documents. */
export const mtermvectors: EndpointHandler = async (request, context) => {
  const items = readItems(request, bodyObject(request) ?? {})
  if (items.length === 0) throw validationFailed(['multi term vectors: no documents requested'])
  const complaints = items.map((item, i) => {
    const missing = [
      ...(item.index === undefined ? ['index is missing'] : []),
      ...(request.dialect.typed && item.type === undefined ? ['type is missing'] : []),
      ...(item.id === undefined && item.doc === undefined ? ['id or doc is missing'] : []),
    ]
    return missing.length === 0 ? [] : [...missing, `at multi term vectors for doc ${i}`]
  })
  // The real servers forget what was said before of others.
  const last = complaints.findLast((each) => each.length > 0)
  if (last !== undefined) throw validationFailed(last)
  request.authorize([...new Set(items.map((item) => item.index as string))], '_mtermvectors')
  for (const { index } of items) requireOne(index as string, request, context)
  const docs = await listInTurns(items, request.parameters, (item) => answerOne(request, context, item))
  return { status: 200, json: { docs } }
}

/** @throws {ServiceError} illegal_argument_exception for an alias of several, whichever of them would be meant */
function requireOne(name: string, request: EndpointRequest, { engine }: RestContext): void {
  if (engine.indices.has(name)) return
  const names = [...engine.indices.values()]
    .filter(({ aliases }) => Object.hasOwn(aliases, name))
    .map((one) => one.name)
  if (names.length < 2) return
  // They are told of.
  request.authorize(names, '_mtermvectors')
  throw illegalArgument(
    `Alias [${name}] has more than one index associated with it [[${names.sort().join(', ')}]], can't execute a single index op`,
  )
}

function answerOne(request: EndpointRequest, context: RestContext, item: TermVectorsOptions): Json {
  try {
    const metadata = readIndex(request, context, item.index as string, '_mtermvectors')
    const routing = resolveIndexRouting(item.index as string, item.routing, metadata)
    return answerTermVectors(request, context, metadata, { ...item, routing })
  } catch (error) {
    // Of a data stream, and of a closed index, the whole request learns.
    const isOfAll =
      !(error instanceof ServiceError) || isStreamLeftOut(error) || error.type === 'index_closed_exception'
    if (isOfAll) throw error
    // What was looked for is not said of an index that there is not.
    const isNowhere = error.type === 'index_not_found_exception'
    return {
      _index: item.index,
      ...(request.dialect.showsType ? { _type: item.type ?? '_doc' } : {}),
      _id: item.id,
      error: renderFailure(isNowhere ? error.with({ metadata: undefined }) : error),
    }
  }
}

/** `docs` one by one over the request's own options and the `parameters` before them, and behind them `ids`. */
function readItems(request: EndpointRequest, body: { readonly [name: string]: JsonValue }): TermVectorsOptions[] {
  const { index, type } = request.path
  let defaults = optionsOfParameters(request.parameters, { index, type })
  const items: TermVectorsOptions[] = []
  const ids = [...(request.parameters.list('ids') ?? [])]
  for (const [name, value] of Object.entries(body)) {
    if (name === 'parameters' && isObject(value)) {
      defaults = optionsOfBody(value, defaults, request)
      continue
    }
    if ((name !== 'docs' && name !== 'ids') || !Array.isArray(value)) throw noParameter(name, value)
    for (const entry of value) {
      if (name === 'docs') items.push(optionsOfBody(objectOf('docs', entry), defaults, request))
      else if (entry !== null && typeof entry !== 'object') ids.push(String(entry))
      else throw illegalArgument('ids array element should only contain ids')
    }
  }
  // The real servers keep them as a set.
  return [...items, ...inJavaHashOrder([...new Set(ids)]).map((id) => ({ ...defaults, id }))]
}

function objectOf(name: string, value: JsonValue): { readonly [name: string]: JsonValue } {
  if (isObject(value)) return value
  throw new ServiceError(
    'parse_exception',
    `docs array element should include an object, found [${tokenName(value)}] in [${name}]`,
  )
}

function noParameter(name: string, value: JsonValue): ServiceError {
  const kind = isObject(value) ? 'OBJECT' : Array.isArray(value) ? 'ARRAY' : undefined
  const reason =
    kind === undefined
      ? `_mtermvectors: Parameter [${name}] not supported`
      : `no parameter named [${name}] and type ${kind}`
  return new ServiceError('parse_exception', reason)
}
