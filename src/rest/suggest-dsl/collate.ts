import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { hasBit } from '../../engine/search/lucene/bit-set.ts'
import { docsOfBits } from '../../engine/search/lucene/doc-set.ts'
import { queryDocuments } from '../../engine/search/query-documents.ts'
import { inQueryPhase } from '../../engine/search/query-phase.ts'
import type { PhraseCollation } from '../../engine/suggest/phrase-suggester.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ValueMap } from '../ingest/ingest-document.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { fillTemplate } from '../search/search-template.ts'
import type { StoredScript } from '../search/stored-script.ts'

/** What queries of phrases are read with. */
export interface CollateScope {
  readonly queries: QueryContext
  readonly dialect: Dialect
}

/**
 * Reads `collate`: a template of a query that each phrase is put into.
 *
 * @returns undefined where there is no query
 * @throws {ServiceError} parsing_exception
 */
export function readCollate(
  json: { readonly [name: string]: JsonValue },
  scope: CollateScope,
): PhraseCollation | undefined {
  const fault = (name: string, what: string): ServiceError =>
    parsingException(`suggester[phrase][collate] ${what}`).at(json, name)
  for (const [name, value] of Object.entries(json)) {
    if (name === 'query') placed(json, name, () => readScript(value, scope.queries, 'mustache'), 'next')
    else if (name === 'prune' && value !== true && value !== false && value !== 'true' && value !== 'false')
      throw fault(name, `prune must be either 'true' or 'false'`)
    else if (name !== 'params' && name !== 'prune') throw fault(name, `doesn't support field [${name}]`)
  }
  const { query, params, prune } = json
  if (query === undefined) return undefined
  const values = (isObject(params) ? params : {}) as ValueMap
  return {
    prune: String(prune) === 'true',
    matches: (phrase, searcher) =>
      inQueryPhase(() => matches(query, { ...values, suggestion: phrase }, searcher, scope)),
  }
}

function matches(
  template: JsonValue,
  params: ValueMap,
  searcher: IndexSearcher,
  { queries, dialect }: CollateScope,
): boolean {
  const { script, id } = templateOf(template, queries)
  const query = parseQuery(parseJson(fillTemplate(script, id, params, dialect)), queries)
  const found = queryDocuments(query, searcher, { engineVersion: dialect.engineVersion, now: Date.now() })
  return searcher.segments.some(({ liveDocs, maxDoc }, i) =>
    docsOfBits(found.bits(i), maxDoc).some((doc) => liveDocs === undefined || hasBit(liveDocs, doc)),
  )
}

/** The template, in the request or stored. */
function templateOf(
  json: JsonValue,
  { lookup }: QueryContext,
): { readonly script: StoredScript; readonly id: string | undefined } {
  if (!isObject(json)) return { script: { lang: 'mustache', source: String(json) }, id: undefined }
  const id = json['id'] ?? json['stored']
  if (typeof id === 'string') {
    const script = lookup.script(id)
    if (script === undefined)
      throw new ServiceError('resource_not_found_exception', `unable to find script [${id}] in cluster state`)
    return { script, id }
  }
  const source = json['source'] ?? json['inline'] ?? json
  return {
    script: { lang: 'mustache', source: typeof source === 'string' ? source : writeJson(source as Json) },
    id: undefined,
  }
}
