import { requireRouting } from '../../engine/mapping/require-routing.ts'
import { aliasFilters } from '../../engine/metadata/alias-routing.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { documentExplainer } from '../../engine/search/explain-document.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { storedMetadata } from '../documents/document-response.ts'
import { renderSource, sourceFilterOf, visibleSource } from '../documents/source-filter.ts'
import { storedFields } from '../documents/stored-fields.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { asShardError } from '../errors/detailed-message.ts'
import { readIndex, storedType } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { neverFetched } from '../query-dsl/never-fetched.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { checkOnlyMember, type EndpointRequest, queryObject } from '../rest-request.ts'
import { checkPreference } from '../search/check-preference.ts'
import { renderExplanation } from '../search/render-explanation.ts'
import { onlyQueryOf } from '../search/search-body.ts'
import { bool } from '../search/search-view.ts'

/** `GET|POST /<index>/<type>/<id>/_explain`: why a document matches, as it was refreshed last. */
export const explain: EndpointHandler = (request, context) => {
  const noted = request.warnings.size
  let isWaiting = false
  const passOver = (): void => {
    isWaiting = true
  }
  const query = explainedQuery({ ...request, queries: { ...request.queries, passOver } })
  const name = request.path['index'] as string
  const id = request.path['id'] as string
  const index = readIndex(request, context, name, '_explain')
  checkPreference(request)
  const asked = request.path['type'] ?? '_doc'
  const type = storedType(index, context, asked)
  const { engine } = context
  // An alias's own leads nowhere here.
  const routing = request.parameters.text('routing')
  requireRouting(engine.mapping(index.name), index.name, { type, askedType: asked, id, routing }, engine.version)
  const searcher = engine.searcher(index.name)
  try {
    const head = {
      _index: index.name,
      ...(request.dialect.showsType ? { _type: asked } : {}),
      _id: id,
    }
    const [place] = searcher.locate(type, id)
    if (place === undefined) {
      request.warnings.takeBackOfIndices(noted)
      return { status: 404, json: { ...head, matched: false } }
    }
    // Said of the query as any other fault of it.
    if (isWaiting) throw asShardError(neverFetched(), searcher.indexName, searcher.indexUuid, query.written?.())
    const limited = limitByAlias(query, index, name, request)
    const explainer = ofOneShard(() =>
      documentExplainer(limited, searcher, {
        engineVersion: request.dialect.engineVersion,
        now: Date.now(),
        isTyped: request.dialect.typed,
      }),
    )
    const explanation = ofOneShard(() => explainer(place.segment, place.doc))
    const document = searcher.document(
      searcher.segments[place.segment] as (typeof searcher.segments)[number],
      place.doc,
    )
    return {
      status: 200,
      json: {
        ...head,
        matched: explanation.match,
        explanation: renderExplanation(explanation),
        ...getPart(request, document, searcher.mapping),
      },
    }
  } finally {
    searcher.release()
  }
}

/** One shard is asked, and its complaint answered as it is. */
function ofOneShard<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw error.with({ inQueryPhase: false })
  }
}

const NO_PARAMETERS = new RequestParameters(new Map())

function explainedQuery(request: EndpointRequest): Query {
  const body = queryObject(request)
  if (body === undefined && !request.parameters.has('q')) throw validationFailed(['query is missing'])
  if (body !== undefined) checkOnlyMember(body, 'query')
  if (body !== undefined && body['query'] === undefined) throw validationFailed(['query is missing'])
  // Beside a body what the parameters ask for is not heard.
  return onlyQueryOf(body === undefined ? request : { ...request, parameters: NO_PARAMETERS }, body)
}

/** A filtered alias lets no more of its index be seen here than in a search. */
function limitByAlias(query: Query, index: IndexMetadata, name: string, request: EndpointRequest): Query {
  const filters = aliasFilters(index, new Set([name]))
  if (filters === undefined) return query
  return bool({
    must: [query],
    filter: [bool({ should: filters.map((filter) => parseQuery(filter, request.queries)) })],
  })
}

type Document = Parameters<typeof visibleSource>[0]
type Mapping = Parameters<typeof visibleSource>[1]

/** `get`: the parts of the document that were asked for beside. */
function getPart(request: EndpointRequest, document: Document, mapping: Mapping): { readonly get?: Json } {
  const filter = sourceFilterOf(request.parameters)
  const names = request.parameters.list('stored_fields')
  if (!filter?.enabled && names === undefined) return {}
  const source = filter?.enabled ? visibleSource(document, mapping) : undefined
  const fields = names === undefined ? undefined : storedFields(document, names, mapping, false)
  return {
    get: {
      _seq_no: document.seqNo,
      _primary_term: document.primaryTerm,
      ...storedMetadata({ document, mapping }, names),
      found: true,
      ...(source === undefined || filter === undefined
        ? {}
        : { _source: renderSource(source, filter, mapping.engineVersion) }),
      ...(fields === undefined ? {} : { fields }),
    },
  }
}
