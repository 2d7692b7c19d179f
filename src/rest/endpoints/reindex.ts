import type { Long } from '../../engine/algorithms/long.ts'
import type { DocumentOperation, VersionType } from '../../engine/index/document-operation.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { resolveWriteIndex } from '../../engine/metadata/resolve-alias.ts'
import { indexNotFound } from '../../engine/metadata/resolve-indices.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { exactJson } from '../body/exact-json.ts'
import { NUMBER, OBJECT, STRING } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { unknownField } from '../body/unknown-field.ts'
import {
  type ByQueryOptions,
  byQueryOptions,
  maxDocsIn,
  proceeds,
  type SaidOptions,
} from '../by-query/by-query-options.ts'
import {
  type ByQuerySearch,
  checkByQuerySearch,
  parseReindexSearch,
  searchRequestOf,
} from '../by-query/by-query-search.ts'
import type { MatchedDocument } from '../by-query/found-documents.ts'
import { openSearched } from '../by-query/open-searched.ts'
import { type ReindexDestination, reindexDestination } from '../by-query/reindex-destination.ts'
import { type RemoteSource, readRemoteSource, remoteRefused } from '../by-query/remote-source.ts'
import { rewrittenBody } from '../by-query/rewritten-body.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import { sourceOf } from '../by-query/stored-source.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { documentComplaints, validationFailed } from '../documents/document-parameters.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { checkAlias, expandIndices, scopeOf, storedType, writeIndex } from '../indices/index-names.ts'
import { judgedBeforeErrors } from '../indices/judge-names.ts'
import { checkPipelines } from '../ingest/ingest-service.ts'
import { type EndpointRequest, requiredBody } from '../rest-request.ts'
import { ByQueryScript, type ScriptedWrite } from '../script/by-query-script.ts'
import { readWriteScript } from '../script/read-write-script.ts'
import type { SearchBody } from '../search/search-body.ts'
import { scriptsFor } from '../search/stored-script.ts'
import { checkSingleType } from './index-document.ts'

/** The members of the body, and the tokens that each is read from. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  source: OBJECT,
  dest: OBJECT,
  size: NUMBER,
  max_docs: NUMBER,
  script: OBJECT,
  conflicts: STRING,
}
const { max_docs: _, ...MEMBERS_SIX } = MEMBERS

/** `POST /_reindex`: copies what a query finds to another index. */
export const reindex: EndpointHandler = (request, context) => {
  const body = readBody(requiredBody(request, 'reindex'), request, context)
  const { source, destination, script } = body
  const scroll = request.parameters.text('scroll')
  if (scroll !== undefined) parseTimeMs(scroll, 'scroll')
  const options = byQueryOptions(request, body)
  const requiresAlias = request.parameters.boolean('require_alias', false)
  checkByQuerySearch(source.search, options, request, [
    ...(source.indices.length === 0 ? ['use _all if you really want to copy from all existing indexes'] : []),
    ...(hasSource(source.search) ? [] : ['_source:false is not supported in this context']),
    ...complaintsOf(source, destination, options),
  ])
  if (destination === undefined) throw validationFailed(['index must be specified'])
  if (source.remote !== undefined) throw remoteRefused(source.remote, request.dialect)
  request.authorize([destination.index], '_bulk')
  return runByQuery(request, context, {
    action: 'indices:data/write/reindex',
    description: description(body, destination, request.dialect),
    destination: destination.index,
    shown: { updated: true, created: true },
    sources: source.indices,
    open: () => {
      if (requiresAlias) checkAlias(context, destination.index)
      checkApart(source, destination, context)
      // Nobody is told of it who is refused before.
      if (source.isSorted) request.warnings.note('sorted_reindex')
      return openSearched(source.request, context, '_search', source.search)
    },
    search: source.search,
    options,
    change: {
      pipeline: destination.pipeline,
      targetName: ({ scripted }) => scripted?.index ?? destination.index,
      target: async (group) => {
        const name = group[0].scripted?.index ?? destination.index
        const create = group.some(({ scripted }) => scripted?.op !== 'delete')
        if (create) checkPipelines(context.engine, name, destination.pipeline)
        return writeIndex(request, context, name, { create })
      },
      targetBefore: (group) => {
        const name = group[0].scripted?.index ?? destination.index
        checkPipelines(context.engine, name, destination.pipeline)
        return resolveWriteIndex(name, scopeOf(context))
      },
      checkBatch: (batch) => checkWrites(batch, destination, request.dialect),
      operation: (matched, target) => copyOf(matched, source.search, destination, target, context),
      ...(script === undefined
        ? {}
        : { script: (matched) => scriptedCopy(matched, script, source.search, destination, request) }),
    },
  })
}

/** What its task is about; 7.x has a type for all that it writes. */
function description(
  { source, script }: ReindexBody,
  { index, type: given }: ReindexDestination,
  { typed, showsType }: Dialect,
): string {
  const type = given ?? (showsType && !typed ? '_doc' : undefined)
  return `reindex from [${source.indices.join(', ')}]${script?.told ?? ''} to [${index}]${type === undefined ? '' : `[${type}]`}`
}

/** Whether documents are copied from what they were made of: what names stored fields alone has been complained of already. */
const hasSource = ({ fetch: { source, storedFields } }: ByQuerySearch): boolean =>
  source.enabled || storedFields !== undefined

function complaintsOf(
  { remote }: ReindexSource,
  destination: ReindexDestination | undefined,
  { slices }: ByQueryOptions,
): readonly string[] {
  if (destination === undefined) return ['index must be specified']
  const complaints = [...destination.complaints]
  if (remote !== undefined && slices !== 1) {
    const asked = slices === 'auto' ? 0 : slices
    complaints.push(`reindex from remote sources doesn't support slices > 1 but was [${asked}]`)
  }
  return complaints
}

interface ReindexBody extends SaidOptions {
  readonly source: ReindexSource
  readonly destination: ReindexDestination | undefined
  readonly script: ByQueryScript | undefined
}

/** What a body says, read member by member as it stands: the first fault is told. @throws {ServiceError} x_content_parse_exception */
function readBody(
  body: { readonly [name: string]: JsonValue },
  request: EndpointRequest,
  { engine }: RestContext,
): ReindexBody {
  const { dialect } = request
  const { typed, engineVersion } = dialect
  const members: typeof MEMBERS = typed ? MEMBERS_SIX : MEMBERS
  let source: ReindexSource | undefined
  let destination: ReindexDestination | undefined
  let script: ByQueryScript | undefined
  let proceed: boolean | undefined
  let maxDocs: number | undefined
  for (const [name, value] of Object.entries(body)) {
    const tokens = Object.hasOwn(members, name) ? members[name] : undefined
    if (tokens === undefined) throw unknownField('reindex', name, typed, Object.keys(members), body)
    const token = tokenName(value)
    if (!tokens.includes(token))
      throw parseFault(`[reindex] ${name} doesn't support values of type: ${token}`).at(body, name)
    const within = <T>(read: () => T): T => inField('reindex', name, read, body)
    if (name === 'source') source = readSource(request, value)
    else if (name === 'dest') destination = reindexDestination(value, dialect)
    else if (name === 'script') {
      const find = scriptsFor(request, engine)
      const { dest } = body
      const versionType = isObject(dest) ? (dest['version_type'] ?? 'internal') : 'internal'
      const keeps = versionType !== 'internal'
      const read = within(() => readWriteScript(value, engineVersion, find, request.warnings))
      script = within(() => new ByQueryScript(read, true, engineVersion, keeps))
    } else if (name === 'conflicts') proceed = within(() => proceeds(String(value)))
    else {
      if (name === 'size') request.warnings.note('by_query_size')
      maxDocs = within(() => maxDocsIn(readInt(value, typed), maxDocs, dialect))
    }
  }
  if (destination?.type !== undefined) request.warnings.note('typed_reindex')
  return { source: source ?? readSource(request, undefined), destination, script, proceed, maxDocs }
}

interface ReindexSource {
  readonly indices: readonly string[]
  /** Whether the body says in which order documents are copied. */
  readonly isSorted: boolean
  readonly remote: RemoteSource | undefined
  readonly search: ByQuerySearch
  /** The request as if it were a search of these indices. */
  readonly request: EndpointRequest
}

function readSource(request: EndpointRequest, json: JsonValue | undefined): ReindexSource {
  const { index, type, remote: elsewhere, ...rest } = isObject(json) ? json : {}
  const { dialect, warnings } = request
  try {
    const indices = listOf('index', index, dialect, dialect.typed)
    const types = dialect.showsType ? listOf('type', type, dialect) : []
    if (types.length > 0) warnings.note('typed_reindex')
    const isElsewhere = elsewhere !== undefined && elsewhere !== null
    const remote = isElsewhere ? readRemoteSource(elsewhere, rest['query']) : undefined
    // What is asked for there nobody reads here.
    if (isElsewhere) delete rest['query']
    if (!dialect.showsType && type !== undefined) rest['type'] = type
    const inner = searchRequestOf(request)
    const path = {
      ...request.path,
      ...(indices.length === 0 ? {} : { index: indices.join(',') }),
      ...(types.length === 0 ? {} : { type: types.join(',') }),
    }
    const search = parseReindexSearch(inner, rewrittenBody(request, rest))
    return { indices, remote, search, isSorted: rest['sort'] !== undefined, request: { ...inner, path } }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // The source is read to its end before it is looked at.
    throw failedField('reindex', 'source', error).with({
      place: { container: json as object, key: undefined, token: 'end' },
    })
  }
}

function listOf(name: string, value: JsonValue | undefined, dialect: Dialect, isAsItIs = false): readonly string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string' && isAsItIs) return [value]
  if (typeof value === 'string') {
    // As Java splits: what is empty at the end is no name.
    const names = value.replace(/,+$/, '')
    return names === '' ? [] : names.split(',')
  }
  if (!Array.isArray(value)) {
    const list = dialect.engineVersion === 'OpenSearch_2.19' ? 'a list or a string' : 'a list of a string'
    const reason = `Expected [${name}] to be ${list} but was [${javaText(exactJson(value))}]`
    throw illegalArgument(reason)
  }
  if (value.some((item) => item !== null && typeof item !== 'string')) throw notAllTexts()
  if (value.includes(null)) throw new ServiceError('null_pointer_exception', `${name} must not be null`)
  return value as string[]
}

/** What Java says of a list of other values than texts where it copies it to an array of texts. */
const notAllTexts = (): ServiceError =>
  new ServiceError(
    'array_store_exception',
    'arraycopy: element type mismatch: can not cast one of the elements of java.lang.Object[] to the type of the destination array, java.lang.String',
  )

/** Refuses to write into what is read. @throws {ServiceError} action_request_validation_exception, index_not_found_exception */
function checkApart(source: ReindexSource, { index }: ReindexDestination, context: RestContext): void {
  const target = judgedBeforeErrors(source.request, context, [index], '_bulk', () =>
    resolveWriteIndex(index, scopeOf(context)),
  )
  // Each of a list is one name, an empty one too; 6.x takes a text for one as well.
  const odd = source.indices.find((name) => name === '' || name.includes(','))
  if (odd !== undefined) throw indexNotFound(odd, 'index_or_alias', context.engine.version)
  const read = expandIndices(
    source.request,
    context,
    source.request.path['index'],
    STRICT_EXPAND_OPEN_FORBID_CLOSED,
    '_search',
  )
  if (target !== undefined && read.includes(target))
    throw validationFailed([`reindex cannot write into an index its reading from [${target.name}]`])
}

/** Runs the script on a copy; where it sends the copy elsewhere, whether the caller may write there is judged too. */
function scriptedCopy(
  matched: MatchedDocument,
  script: ByQueryScript,
  search: SearchBody,
  destination: ReindexDestination,
  request: EndpointRequest,
): ScriptedWrite {
  const { index, document } = matched
  const { type, id, version, routing } = document
  const source = sourceOf(matched, search.fetch.source)
  const write = script.run({ index: index.name, type, id, version, routing, source })
  if (write.index !== undefined && write.index !== destination.index) request.authorize([write.index], '_bulk')
  return write
}

/** Looks at a batch as at so many writes; 6.x does not look at their versions. @throws {ServiceError} action_request_validation_exception */
function checkWrites(batch: readonly MatchedDocument[], destination: ReindexDestination, dialect: Dialect): void {
  const { create, pipeline } = destination
  const complaints = batch.flatMap(({ document, scripted }) => {
    if (scripted?.op === 'delete') return []
    const version = dialect.typed
      ? { versionType: 'internal' as const }
      : versionOf(destination, document.version, scripted?.version)
    const opType = create && !dialect.typed ? 'create' : 'index'
    return documentComplaints(document.id, { ...version, opType, pipeline }, dialect)
  })
  if (complaints.length > 0) throw validationFailed(complaints)
}

function copyOf(
  matched: MatchedDocument,
  search: SearchBody,
  destination: ReindexDestination,
  target: IndexMetadata | undefined,
  context: RestContext,
): DocumentOperation {
  const { document, scripted } = matched
  const asked = scripted?.type ?? destination.type ?? document.type
  const type = target === undefined ? asked : storedType(target, context, asked)
  if (target !== undefined) checkSingleType(target, type, context)
  const routing = routingOfWrite(
    (scripted?.routing === undefined ? destination.routing(document.routing) : scripted.routing) ?? undefined,
  )
  const id = scripted?.id === undefined ? document.id : scripted.id
  const operation = {
    type,
    ...versionOf(destination, document.version, scripted?.version),
    ...(routing === undefined ? {} : { routing }),
  }
  if (scripted?.op === 'delete') return { kind: 'delete', ...operation, id: id ?? document.id }
  return {
    kind: destination.create ? 'create' : 'index',
    ...operation,
    ...(id === null ? {} : { id }),
    source: scripted?.source ?? sourceOf(matched, search.fetch.source),
  }
}

/** How a copy's version is checked. @param scripted  what a script made of it; null: not at all, undefined: it was left */
function versionOf(
  { versionType }: ReindexDestination,
  version: Long,
  scripted: Long | null | undefined,
): { readonly versionType: VersionType; readonly version?: Long } {
  if (scripted === null) return { versionType: 'internal' }
  if (scripted !== undefined) return { versionType, version: scripted }
  return versionType === 'internal' ? { versionType } : { versionType, version }
}
