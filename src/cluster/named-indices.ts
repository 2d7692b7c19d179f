import type { JsonValue } from '../rest/parse-json.ts'
import { isObject } from './json-members.ts'

/** Members that name an index wherever a query, an action or a document to be looked up has them. */
const INDEX_MEMBERS: ReadonlySet<string> = new Set(['index', '_index', 'indices'])

/** Where a shape is looked up unless it says where. */
const DEFAULT_SHAPES_INDEX = 'shapes'

/** What a body was found to name. */
export interface NamedIndices {
  readonly names: ReadonlySet<string>
  /** Those of them that stand beside a document's id: whether anything is called so or not, they are names of indices. */
  readonly lookedUp: ReadonlySet<string>
  /** Whether it may name indices in a way that cannot be read: in templates, in a wrapped query that is no JSON. */
  readonly isOpaque: boolean
}

/**
 * Every index a body may name: terms lookups, indexed shapes, documents to be like, percolated documents, boosts, inside
 * wrapped queries too.
 *
 * It takes more for a name than is one (a field `index` in a term query): names that no index has do no harm, and one that
 * an index has is judged in vain.
 */
export function namedIndices(body: JsonValue): NamedIndices {
  const names = new Set<string>()
  const lookedUp = new Set<string>()
  let isOpaque = false

  function addText(value: JsonValue): void {
    if (Array.isArray(value)) for (const one of value) addText(one)
    else if (value !== null && typeof value !== 'object') for (const name of String(value).split(',')) addName(name)
  }

  function addName(name: string): void {
    // Filled in by the cluster, in templates of queries.
    if (name.includes('${') || name.includes('{{')) isOpaque = true
    names.add(name)
  }

  function walkObject(object: { [name: string]: JsonValue }): void {
    const { index, _index = index, id, _id = id } = object
    if (typeof _index === 'string' && isScalar(_id)) lookedUp.add(_index)
    for (const [member, value] of Object.entries(object)) {
      if (INDEX_MEMBERS.has(member)) addText(value)
      else if (member === 'indices_boost') addBoosted(value)
      else if (member === 'indexed_shape' && isObject(value) && value['index'] === undefined)
        names.add(DEFAULT_SHAPES_INDEX)
      else if (member === 'wrapper') unwrap(value)
      else if (member === 'collate') isOpaque = true
      walk(value)
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
      walk(JSON.parse(Buffer.from(query, 'base64').toString()) as JsonValue)
    } catch {
      // It may be of another format than JSON, which the cluster tells by itself.
      isOpaque = true
    }
  }

  function walk(value: JsonValue): void {
    if (Array.isArray(value)) for (const one of value) walk(one)
    else if (isObject(value)) walkObject(value)
  }

  walk(body)
  return { names, lookedUp, isOpaque }
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
