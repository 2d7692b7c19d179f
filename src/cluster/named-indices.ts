import { isObject } from '../is-object.ts'
import { isWrittenAsFloat, type JsonValue, parseJson } from '../rest/body/parse-json.ts'

/** Members that name an index wherever a query, an action or a document to be looked up has them. */
const INDEX_MEMBERS: ReadonlySet<string> = new Set(['index', '_index', 'indices'])

/** Beside the name of an index: what is to be fetched from it, or read as its documents are. */
const LOOKUP_MEMBERS = ['id', '_id', 'path', 'doc'] as const

/**
 * What has fields, or words of the caller's own, for members: a text that one of them has is no name, should it be called
 * `index`.
 */
const WITH_FIELDS: ReadonlySet<string> = new Set([
  'after',
  'buckets_path',
  'contexts',
  'doc',
  'document',
  'documents',
  'fuzzy',
  'match',
  'match_bool_prefix',
  'match_phrase',
  'match_phrase_prefix',
  'meta',
  'missing',
  'order',
  'params',
  'prefix',
  'regexp',
  'sort',
  'span_term',
  'term',
  'terms',
  'wildcard',
])

/** Where a shape is looked up unless it says where. */
const DEFAULT_SHAPES_INDEX = 'shapes'

/** What a body was found to name. */
export interface NamedIndices {
  /** Names of indices, whether anything is called so or not. */
  readonly names: ReadonlySet<string>
  /** Whether it may name indices in a way that cannot be read: in templates, in a wrapped query that is no JSON. */
  readonly isOpaque: boolean
}

/**
 * Every index a body may name: terms lookups, indexed shapes, documents to be like, percolated documents, boosts, inside
 * wrapped queries too.
 *
 * It knows no queries, so that it takes more for a name than is one.
 */
export function namedIndices(body: JsonValue): NamedIndices {
  const names = new Set<string>()
  let isOpaque = false

  function addText(value: JsonValue, container: object, key: string | number): void {
    if (Array.isArray(value)) for (const [i, one] of value.entries()) addText(one, value, i)
    else if (isReadOtherwise(value, container, key)) isOpaque = true
    else if (value !== null && typeof value !== 'object') for (const name of String(value).split(',')) addName(name)
  }

  function addName(name: string): void {
    // Filled in by the cluster, in templates of queries.
    if (name.includes('${') || name.includes('{{')) isOpaque = true
    names.add(name)
  }

  function walkObject(object: { [name: string]: JsonValue }, under: string): void {
    const mayName = !WITH_FIELDS.has(under) || LOOKUP_MEMBERS.some((member) => Object.hasOwn(object, member))
    for (const [member, value] of Object.entries(object)) {
      if (INDEX_MEMBERS.has(member) && mayName) addText(value, object, member)
      else if (member === 'indices_boost') addBoosted(value)
      else if (member === 'indexed_shape' && isObject(value) && value['index'] === undefined)
        names.add(DEFAULT_SHAPES_INDEX)
      else if (member === 'wrapper') unwrap(value)
      else if (member === 'collate') isOpaque = true
      walk(value, member)
    }
  }

  function addBoosted(value: JsonValue): void {
    for (const boosts of Array.isArray(value) ? value : [value]) {
      if (isObject(boosts)) for (const name of Object.keys(boosts)) names.add(name)
    }
  }

  function unwrap(value: JsonValue): void {
    const query = isObject(value) ? value['query'] : undefined
    if (typeof query !== 'string') return
    try {
      walk(parseJson(Buffer.from(query, 'base64')), '')
    } catch {
      // It may be of another format than JSON, which the cluster tells by itself.
      isOpaque = true
    }
  }

  function walk(value: JsonValue, under: string): void {
    if (Array.isArray(value)) for (const one of value) walk(one, under)
    else if (isObject(value)) walkObject(value, under)
  }

  walk(body, '')
  return { names, isOpaque }
}

/** A number's text is what names an index where numbers are taken for names: `2024.10` is not `2024.1`. */
function isReadOtherwise(value: JsonValue, container: object, key: string | number): boolean {
  return typeof value === 'number' && (!Number.isInteger(value) || isWrittenAsFloat(container, key))
}
