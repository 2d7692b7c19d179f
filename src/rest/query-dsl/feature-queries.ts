import { distanceMeters } from '../../engine/mapping/geo/distance-units.ts'
import { parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import type { FeatureFunction, Query } from '../../engine/search/queries/query.ts'
import { faultOf } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { notBuilt, parseFault } from '../../parse-fault.ts'
import { parseMembers, type ReadMember } from './object-parser.ts'
import { optional } from './query-options.ts'
import type { QueryContext } from './query-reader.ts'

type Read = Readonly<Record<string, unknown>>

/** `distance_feature`. */
export function distanceFeature(body: unknown): Query {
  const read = parseMembers(
    'distance_feature',
    body,
    { field: 'text', origin: 'place', pivot: 'text', boost: 'float', _name: 'text' },
    ['field', 'origin', 'pivot'],
  )
  const pivot = String(read['pivot'])
  const { origin } = read
  if (typeof origin === 'object') checkPoint(origin)
  return {
    kind: 'distance_feature',
    field: String(read['field']),
    origin,
    pivot,
    pivotMeters: metersOf(pivot),
    ...baseOf(read),
  }
}

/** `rank_feature`. */
export function rankFeature(body: unknown, { engineVersion }: QueryContext): Query {
  const isOpenSearch = engineVersion === 'OpenSearch_2.19'
  const shapes = isOpenSearch ? { ...SHAPES, linear: LINEAR } : SHAPES
  const read = parseMembers('feature', body, { field: 'text', boost: 'float', _name: 'text', ...shapes }, ['field'])
  const given = Object.keys(shapes).filter((shape) => read[shape] !== undefined)
  if (given.length > 1) {
    const others = isOpenSearch ? ', [sigmoid] and [linear]' : ' and [sigmoid]'
    throw notBuilt('feature', illegalArgument(`Can only specify one of [log], [saturation]${others}`))
  }
  const shape = read[given[0] ?? ''] ?? { shape: 'saturation' }
  return { kind: 'rank_feature', field: String(read['field']), function: shape as FeatureFunction, ...baseOf(read) }
}

/** A function of a feature, whose faults are told of the member that it is. */
const shapeOf = (read: (body: unknown) => FeatureFunction): ReadMember => ({ kind: 'object', read })

const SHAPES = {
  log: shapeOf((body) => {
    const { scaling_factor } = parseMembers('log', body, { scaling_factor: 'float' }, ['scaling_factor'])
    return { shape: 'log', scalingFactor: scaling_factor as number }
  }),
  saturation: shapeOf((body) => {
    const { pivot } = parseMembers('saturation', body, { pivot: 'float' }, [])
    return { shape: 'saturation', ...optional('pivot', pivot as number | undefined) }
  }),
  sigmoid: shapeOf((body) => {
    const members = { pivot: 'float', exponent: 'float' } as const
    const { pivot, exponent } = parseMembers('sigmoid', body, members, ['pivot', 'exponent'])
    return { shape: 'sigmoid', pivot: pivot as number, exponent: exponent as number }
  }),
}

const LINEAR = shapeOf((body) => {
  parseMembers('linear', body, {}, [])
  return { shape: 'linear' }
})

function baseOf(read: Read): { readonly boost?: number; readonly name?: string } {
  return {
    ...optional('boost', read['boost'] as number | undefined),
    ...optional('name', read['_name'] as string | undefined),
  }
}

/** @throws {ServiceError} x_content_parse_exception */
function checkPoint(origin: unknown): void {
  const cause = faultOf(() => parseGeoPoint(origin, true))
  if (cause === undefined) return
  const reason = '[distance_feature] failed to parse field [origin]'
  throw parseFault(reason, cause)
}

/** A distance in meters; not a number where a text is none. */
function metersOf(text: string): number {
  try {
    return distanceMeters(text, 1)
  } catch {
    return Number.NaN
  }
}
