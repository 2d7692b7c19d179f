import { type EngineVersion, packageOf } from '../../engine/engine-version.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, parseFault } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { parsingException } from '../parsing-exception.ts'
import { type MemberKind, parseObject, type ReadMember } from '../query-dsl/object-parser.ts'
import { parseBeside } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import type { FieldRequest, HighlightOptions } from './highlight-fields.ts'

/** What the `highlight` of a search is read with. */
export interface HighlightScope {
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
}

type Members = Readonly<Record<string, MemberKind | ReadMember>>
type Read = Readonly<Record<string, unknown>>

/**
 * Reads the `highlight` of a search.
 *
 * @throws {ServiceError} parsing_exception, x_content_parse_exception
 */
export function readHighlight(
  json: JsonValue,
  scope: HighlightScope,
): {
  readonly encodesHtml: boolean
  readonly fields: readonly FieldRequest[]
  /** Every query of its own, asked by some field or not. */
  readonly queries: readonly Query[]
} {
  if (!isObject(json)) throw unknownKey('highlight', json)
  const members: Members = {
    ...optionMembers(scope),
    tags_schema: { kind: 'text', read: tagsOfSchema },
    encoder: 'text',
    fields: { kind: 'objects', read: (value: JsonValue) => readFields(value, scope) },
  }
  const read = parseObject('highlight', json, members, isLegacy(scope))
  const global = optionsOf(read, json)
  const fields = (read['fields'] ?? []) as readonly FieldRequest[]
  return {
    encodesHtml: read['encoder'] === 'html',
    fields: fields.map(({ pattern, options }) => ({ pattern, options: { ...global, ...options } })),
    queries: [global, ...fields.map(({ options }) => options)].flatMap(({ query }) => query ?? []),
  }
}

/** What all fields and each of them may be told. */
function optionMembers({ queries, engineVersion }: HighlightScope): Members {
  return {
    pre_tags: 'texts',
    post_tags: 'texts',
    order: 'text',
    highlight_filter: 'boolean',
    fragment_size: 'int',
    number_of_fragments: 'int',
    require_field_match: 'boolean',
    boundary_scanner: { kind: 'text', read: (text: string) => scannerOf(text, engineVersion) },
    boundary_max_scan: 'int',
    boundary_chars: 'text',
    boundary_scanner_locale: 'text',
    type: 'text',
    fragmenter: 'text',
    no_match_size: 'int',
    force_source: 'boolean',
    phrase_limit: 'int',
    ...(engineVersion === 'OpenSearch_2.19' ? { max_analyzer_offset: 'int' } : {}),
    options: 'object',
    highlight_query: { kind: 'object', read: (query: JsonValue) => parseBeside(query, queries) },
  }
}

/** Fields by their names, or in the order of a list. */
function readFields(json: JsonValue, scope: HighlightScope): FieldRequest[] {
  const members: Members = { ...optionMembers(scope), fragment_offset: 'int', matched_fields: 'texts' }
  const readField = (part: { readonly [name: string]: JsonValue }, pattern: string): FieldRequest => {
    const read = (): FieldRequest => {
      const options = part[pattern] as JsonValue
      const given = parseObject('highlight_field', options, members, isLegacy(scope))
      return { pattern, options: optionsOf(given, options as { readonly [name: string]: JsonValue }) }
    }
    return inField('fields', pattern, read, part)
  }
  if (isObject(json)) return Object.keys(json).map((pattern) => readField(json, pattern))
  const noField = (): ServiceError =>
    parseFault(
      '[fields] can be a single object with any number of fields or an array where each entry is an object with a single field',
    )
  return (json as JsonValue[]).map((part, i) => {
    if (!isObject(part)) throw noField().at(json as object, i)
    const [pattern, another] = Object.keys(part)
    if (pattern === undefined) throw noField().at(part, undefined, 'end')
    const field = readField(part, pattern)
    if (another !== undefined) throw noField().at(part, another, 'name')
    return field
  })
}

const isLegacy = ({ engineVersion }: HighlightScope): boolean => engineVersion === 'Elasticsearch_6.8'

/** Options of members as they were read: -1 stands for none, as do no tags to begin with. */
function optionsOf(read: Read, json: { readonly [name: string]: JsonValue }): HighlightOptions {
  const { preTags, postTags } = tagsOf(read, json)
  const offsets = read['max_analyzer_offset']
  const all: { readonly [K in keyof HighlightOptions]-?: unknown } = {
    type: read['type'],
    preTags: preTags?.length === 0 ? undefined : preTags,
    postTags,
    fragmentSize: given(read['fragment_size']),
    numberOfFragments: given(read['number_of_fragments']),
    noMatchSize: given(read['no_match_size']),
    byScore: typeof read['order'] === 'string' ? read['order'].toUpperCase() === 'SCORE' : undefined,
    boundaryScanner: read['boundary_scanner'],
    boundaryChars: read['boundary_chars'],
    boundaryMaxScan: given(read['boundary_max_scan']),
    fragmentOffset: given(read['fragment_offset']),
    phraseLimit: given(read['phrase_limit']),
    maxAnalyzerOffset: offsets,
    fragmenter: read['fragmenter'],
    requireFieldMatch: read['require_field_match'],
    forceSource: read['force_source'],
    query: read['highlight_query'],
    matchedFields: textsOf(read['matched_fields'])?.length === 0 ? undefined : textsOf(read['matched_fields']),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as HighlightOptions
}

const given = (value: unknown): unknown => (value === -1 ? undefined : value)

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

type Tags = Pick<HighlightOptions, 'preTags' | 'postTags'>

/** A schema stands for tags of both kinds; of what is said twice the last counts. @throws {ServiceError} parsing_exception */
function tagsOf(read: Read, json: { readonly [name: string]: JsonValue }): { -readonly [K in keyof Tags]: Tags[K] } {
  const tags: { -readonly [K in keyof Tags]: Tags[K] } = {}
  for (const name of Object.keys(json)) {
    if (name === 'tags_schema') Object.assign(tags, read[name])
    else if (name === 'pre_tags') tags.preTags = textsOf(read[name]) as readonly string[]
    else if (name === 'post_tags') tags.postTags = textsOf(read[name]) as readonly string[]
  }
  if (tags.preTags !== undefined && tags.postTags === undefined)
    throw parsingException('pre_tags are set but post_tags are not set').at(json, undefined, 'end')
  return tags
}

const STYLED_TAGS = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

function tagsOfSchema(schema: string): Tags {
  if (schema === 'default') return { preTags: ['<em>'], postTags: ['</em>'] }
  if (schema === 'styled') return { preTags: STYLED_TAGS, postTags: ['</em>'] }
  throw illegalArgument(`Unknown tag schema [${schema}]`)
}

const SCANNERS: readonly string[] = ['chars', 'word', 'sentence']

function scannerOf(text: string, engineVersion: EngineVersion): string {
  const scanner = text.toLowerCase()
  if (SCANNERS.includes(scanner)) return scanner
  throw illegalArgument(
    `No enum constant ${packageOf(engineVersion)}.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType.${text.toUpperCase()}`,
  )
}
