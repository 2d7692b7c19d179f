import { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { visibleSource } from '../documents/source-filter.ts'
import { storedFields } from '../documents/stored-fields.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { checkReadVersion, readDocument } from '../endpoints/get-document.ts'
import { singleIndex } from '../indices/index-names.ts'
import { judgeName } from '../indices/judge-names.ts'
import type { QueryContext, QueryLookup } from '../query-dsl/query-reader.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { leaveLargeSource } from '../turns/leave-large.ts'
import { scriptsFor } from './stored-script.ts'

/** What reading the queries of a request takes: its version, and the documents its caller may read. */
export function queryContext(request: EndpointRequest, context: RestContext): QueryContext {
  const { engineVersion, unknownQuery } = request.dialect
  return { engineVersion, unknownQuery, lookup: new RequestLookup(request, context), warnings: request.warnings }
}

/** The same for reading queries that are not run: what they name is not looked up. */
export function uncheckedQueries({ engineVersion, unknownQuery }: Dialect): QueryContext {
  return {
    engineVersion,
    unknownQuery,
    lookup: { document: () => undefined, mapping: () => undefined, script: () => undefined, index: '' },
  }
}

/** The same for queries that are kept and run later: whether their caller may read what they name is judged now too. */
export function judgedQueries(request: EndpointRequest, context: RestContext): QueryContext {
  const judge = (name: string): undefined => {
    request.authorize([name], '_doc')
    judgeName(request, context, name, '_doc')
  }
  const unchecked = uncheckedQueries(request.dialect)
  return { ...unchecked, lookup: { ...unchecked.lookup, document: ({ index }) => judge(index), mapping: judge } }
}

/**
 * Looks up in the name of a request. A class, made for every request: a literal with a getter has a hidden class of its own,
 * which the garbage collector finds only when it goes through everything.
 */
class RequestLookup implements QueryLookup {
  readonly #request: EndpointRequest
  readonly #context: RestContext
  hasLooked = false

  constructor(request: EndpointRequest, context: RestContext) {
    this.#request = request
    this.#context = context
  }

  document(name: Parameters<QueryLookup['document']>[0]): ReturnType<QueryLookup['document']> {
    this.hasLooked = true
    try {
      return this.#find(name)
    } catch (error) {
      throw error instanceof ServiceError ? error.with({ isLookedUp: true }) : error
    }
  }

  #find({
    index,
    type,
    id,
    routing,
    version,
  }: Parameters<QueryLookup['document']>[0]): ReturnType<QueryLookup['document']> {
    const metadata = singleIndex(this.#request, this.#context, index)
    const found = readDocument(this.#context, metadata, type, id, { realtime: true, routing })
    if (found !== undefined && version !== undefined) checkReadVersion(found, version, this.#request, metadata)
    if (found === undefined) return undefined
    leaveLargeSource(this.#request, found.source)
    // What the mapping hides is hidden from queries too.
    const mapping = this.#context.engine.mapping(metadata.name)
    const source = visibleSource(found, mapping)
    const stored = (path: string) =>
      storedFields(found, [path], mapping, false)?.[path] as readonly unknown[] | undefined
    return { index: metadata.name, type: found.type, routing: found.routing, source, stored }
  }

  mapping(index: string): ReturnType<QueryLookup['mapping']> {
    this.hasLooked = true
    return this.#context.engine.mapping(singleIndex(this.#request, this.#context, index).name)
  }

  script(id: string): ReturnType<QueryLookup['script']> {
    this.hasLooked = true
    return scriptsFor(this.#request, this.#context.engine)(id)
  }

  get index(): string | undefined {
    const { index } = this.#request.path
    return index === undefined || /[*,]|^_all$/.test(index) ? undefined : index
  }
}
