import { envelope } from '../../engine/mapping/geo-shape/geojson.ts'
import { defaultReading, type Geometry } from '../../engine/mapping/geo-shape/geometry.ts'
import { parseShape } from '../../engine/mapping/geo-shape/parse-shape.ts'
import type { GeoShapeQuery, Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { noText } from '../body/token-text.ts'
import { parsingException } from '../parsing-exception.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

const RELATIONS: readonly GeoShapeQuery['relation'][] = ['intersects', 'disjoint', 'within', 'contains']

/** Later versions do not name the query in what they say of its members. */
const UNNAMED = 'shape of later versions'

/** Where a shape is kept. */
interface IndexedShape {
  readonly id: string
  readonly type: string | undefined
  readonly index: string
  readonly path: string
  readonly routing: string | undefined
}

/** What the query says of its field. */
interface Asked {
  readonly shape?: Geometry
  readonly relation?: GeoShapeQuery['relation']
  readonly strategy?: 'recursive' | 'term'
  readonly indexed?: Partial<Record<'id' | 'type' | 'index' | 'path' | 'routing', string>>
}

/** `geo_shape`: shapes that stand to another as asked. */
export function geoShape(body: unknown, context: QueryContext): Query {
  const isVersion6 = context.engineVersion === 'Elasticsearch_6.8'
  let field: string | undefined
  let asked: Asked = {}
  if (!isObject(body)) throw parsingException('[geo_shape] query malformed, no start_object after query name')
  const reader = new QueryReader(isVersion6 ? 'geo_shape' : UNNAMED, body)
  for (const key of Object.keys(body)) {
    const value = reader.object(key)
    if (value === undefined) continue
    if (field !== undefined) throw parsing(isVersion6, `point specified twice. [${key}]`).at(body, key)
    field = key
    asked = readField(value, isVersion6)
  }
  const ignoreUnmapped = reader.boolean('ignore_unmapped', false)
  const base = reader.base()
  reader.done()
  if (field === undefined) throw illegalArgument('fieldName is required')
  const shape = asked.shape ?? indexedShape(asked.indexed ?? {}, context, isVersion6)
  const { relation = 'intersects', strategy } = asked
  if (strategy === 'term' && relation !== 'intersects')
    throw illegalArgument(`strategy [term] only supports relation [intersects] found relation [${relation}]`)
  return {
    kind: 'geo_shape',
    field,
    shape,
    relation,
    ignoreUnmapped,
    ...(strategy === undefined ? {} : { strategy }),
    // Later versions begin with a boost of 0: matches score nothing unless one is given.
    ...(isVersion6 ? {} : { boost: 0 }),
    ...base,
  }
}

function readField(json: Readonly<Record<string, unknown>>, isVersion6: boolean): Asked {
  let asked: Asked = {}
  for (const [key, value] of Object.entries(json)) {
    switch (key) {
      case 'shape': {
        // Even later versions read what stands in a query as 6.x does.
        const isNothing = !isVersion6 && typeof value === 'string' && EMPTY_LIST.test(value)
        const shape = isNothing ? NOTHING : parseShape(value, defaultReading(true))
        if (shape !== undefined && !isVersion6) checkEnvelopes(shape)
        asked = shape === undefined ? asked : { ...asked, shape }
        break
      }
      case 'relation': {
        if (value === null || typeof value === 'object') throw noText(value).at(json, key)
        const relation = RELATIONS.find((one) => one === String(value).toLowerCase())
        if (relation === undefined) throw parsingException(`Unknown shape operation [${String(value)} ]`).at(json, key)
        asked = { ...asked, relation }
        break
      }
      case 'strategy':
        if (value === null || typeof value === 'object') throw noText(value).at(json, key)
        if (value !== 'recursive' && value !== 'term')
          throw parsingException(`Unknown strategy [${String(value)} ]`).at(json, key)
        asked = { ...asked, strategy: value }
        break
      case 'indexed_shape':
        if (isObject(value)) asked = { ...asked, indexed: { ...asked.indexed, ...readIndexed(value, isVersion6) } }
        break
      default:
        throw parsing(isVersion6, `query does not support [${key}]`).at(json, key)
    }
  }
  return asked
}

function readIndexed(json: Readonly<Record<string, unknown>>, isVersion6: boolean): Asked['indexed'] {
  const indexed: Record<string, string> = {}
  for (const [key, value] of Object.entries(json)) {
    if (typeof value === 'object')
      throw parsing(isVersion6, `unknown token [${tokenName(value)}] after [${key}]`).at(json, key)
    if (key === 'type' && !isVersion6) continue
    if (['id', 'type', 'index', 'path', 'routing'].includes(key)) indexed[key] = String(value)
  }
  return indexed
}

/** @throws {ServiceError} illegal_argument_exception for a box that is upside down */
function checkEnvelopes(shape: Geometry): void {
  if (shape.kind === 'envelope') envelope(shape.left, shape.right, shape.top, shape.bottom)
  else if (shape.kind === 'geometrycollection') for (const one of shape.shapes) checkEnvelopes(one)
}

/** The shape that a document holds; the caller must be allowed to read it. */
function indexedShape(given: NonNullable<Asked['indexed']>, context: QueryContext, isVersion6: boolean): Geometry {
  const { id, type, index = 'shapes', path = 'shape', routing } = given
  if (id === undefined) {
    throw illegalArgument(
      isVersion6
        ? 'either shapeBytes or indexedShapeId and indexedShapeType are required'
        : 'either shape or indexedShapeId is required',
    )
  }
  if (isVersion6 && type === undefined)
    throw illegalArgument('indexedShapeType is required if indexedShapeId is specified')
  if (context.passOver !== undefined) {
    context.passOver(index)
    return NOTHING
  }
  const found = context.lookup.document({ index, type, id, routing })
  if (context.lookup.index === '') return NOTHING
  const named = context.engineVersion === 'Elasticsearch_7.10' ? (type ?? '_doc') : type
  try {
    return shapeOf({ id, type: named, index, path, routing }, found, isVersion6)
  } catch (error) {
    throw error instanceof ServiceError ? error.with({ isLookedUp: true }) : error
  }
}

/** Well-known texts that from 7.x on are shapes, of which nothing is found. */
const EMPTY_LIST = /^\s*multi(?:point|linestring)\s+empty\s*$/i

/** What stands for the shape of a query that is read and not run. */
const NOTHING: Geometry = { kind: 'geometrycollection', shapes: [] }

function shapeOf(
  { id, type, path }: IndexedShape,
  found: ReturnType<QueryContext['lookup']['document']>,
  isVersion6: boolean,
): Geometry {
  const where = `Shape with ID [${id}]${type === undefined ? '' : ` in type [${type}]`}`
  if (found === undefined) throw illegalArgument(`${where} not found`)
  if (found.source === undefined) throw illegalArgument(`${where} source disabled`)
  const parts = path.split('.')
  let value: unknown = JSON.parse(found.source.toString())
  for (const part of parts) {
    value = isObject(value) ? value[part] : undefined
    if (value === undefined) {
      throw new ServiceError('illegal_state_exception', `Shape with name [${id}] found but missing ${path} field`)
    }
  }
  const shape = parseShape(value, defaultReading(isVersion6))
  if (shape === undefined) throw new ServiceError('unsupported_operation_exception', 'query must be rewritten first')
  return shape
}

/** 6.x names the query in what it says. */
function parsing(isVersion6: boolean, reason: string): ServiceError {
  return parsingException(isVersion6 ? `[geo_shape] ${reason}` : reason)
}
