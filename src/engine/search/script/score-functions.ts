import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import { parseDateMath } from '../../mapping/dates/date-math.ts'
import { distanceMeters } from '../../mapping/geo/distance-units.ts'
import { parseGeoPoint } from '../../mapping/geo/geo-point-value.ts'
import { parseTimeMs } from '../../metadata/time-value.ts'
import type { ContextFunction } from '../../script/script-context.ts'
import { ScriptFault, ScriptThrowable } from '../../script/script-fault.ts'
import type { ScriptDate } from '../../script/time/script-date.ts'
import { type ScriptValue, textOf } from '../../script/values/script-value.ts'
import { arcMeters } from '../earth-distance.ts'
import { hashFraction, randomSalt } from '../queries/random-score.ts'
import type { DocValuesList } from './doc-values-list.ts'
import type { LeafHost } from './leaf-host.ts'
import type { ScriptGeoPoint } from './script-geo-point.ts'

type Shape = (distance: number, scale: number, decay: number) => number

/** How a score falls with the distance from where it is best; `scale` away (beyond the offset) `decay` of it is left. */
const SHAPES: Readonly<Record<string, Shape>> = {
  Linear: (distance, scale, decay) => {
    const reach = scale / (1 - decay)
    return Math.max(0, (reach - distance) / reach)
  },
  Exp: (distance, scale, decay) => Math.exp((Math.log(decay) / scale) * distance),
  Gauss: (distance, scale, decay) => Math.exp((0.5 * distance ** 2) / ((0.5 * scale ** 2) / Math.log(decay))),
}

const TEXTS = ['String', 'String', 'String', 'double'] as const

/** Functions that scripts of scores may call by name alone, from 7.x on. */
export const SCORE_FUNCTIONS: readonly ContextFunction[] = [
  ofDoubles('saturation', 2, ([value = 0, k = 0]) => value / (k + value)),
  ofDoubles('sigmoid', 3, ([value = 0, k = 0, a = 0]) => value ** a / (k ** a + value ** a)),
  {
    name: 'randomScore',
    params: ['int'],
    returns: 'double',
    bind: {
      count: 1,
      make: ([seed], host) => {
        const leaf = host as LeafHost
        const salt = randomSalt(leaf.searcher, leaf.engineVersion, seed as number)
        return () => {
          const { doc } = leaf.lookup
          return hashFraction(Buffer.from(String(leaf.docBase + doc)), salt(leaf.segment, doc))
        }
      },
    },
  },
  {
    name: 'randomScore',
    params: ['int', 'String'],
    returns: 'double',
    bind: {
      count: 2,
      make: ([seed, field], host) => {
        const leaf = host as LeafHost
        leaf.lookup.get(field as ScriptValue)
        const salt = randomSalt(leaf.searcher, leaf.engineVersion, seed as number)
        return () => {
          const values = leaf.lookup.get(field as ScriptValue) as DocValuesList
          const text = textOf(wrapped(() => values.first()))
          return hashFraction(Buffer.from(text), salt(leaf.segment, leaf.lookup.doc))
        }
      },
    },
  },
  ...Object.entries(SHAPES).flatMap(([name, shape]): ContextFunction[] => [
    {
      name: `decayNumeric${name}`,
      params: Array.from({ length: 5 }, () => 'double'),
      returns: 'double',
      bind: {
        count: 4,
        make: (args) => {
          const [origin = 0, scale = 0, offset = 0, decay = 0] = args as number[]
          return ([value]) => shape(Math.max(0, Math.abs((value as number) - origin) - offset), scale, decay)
        },
      },
    },
    {
      name: `decayGeo${name}`,
      params: [...TEXTS, 'org.elasticsearch.common.geo.GeoPoint'],
      returns: 'double',
      bind: {
        count: 4,
        make: ([origin, scale, offset, decay]) => {
          const { lat, lon } = parseGeoPoint(origin, false)
          const reach = distanceMeters(scale as string, 1)
          const free = distanceMeters(offset as string, 1)
          return ([point]) => {
            const value = point as ScriptGeoPoint
            return shape(Math.max(0, arcMeters(lat, lon, value.lat, value.lon) - free), reach, decay as number)
          }
        },
      },
    },
    {
      name: `decayDate${name}`,
      params: [...TEXTS, 'org.elasticsearch.script.JodaCompatibleZonedDateTime'],
      returns: 'double',
      bind: {
        count: 4,
        make: ([origin, scale, offset, decay]) => {
          const at = dateMillis(origin as string)
          const time = (text: unknown, setting: string): number =>
            text === null ? DAY_MS : parseTimeMs(text as string, `DecayDate${name}.${setting}`)
          const reach = time(scale, 'scale')
          const free = time(offset, 'offset')
          return ([date]) =>
            shape(Math.max(0, Math.abs((date as ScriptDate).millis - at) - free), reach, decay as number)
        },
      },
    },
  ]),
]

/** What a scale or an offset is that is null. */
const DAY_MS = 86_400_000

const DATES = createDateFormat(DEFAULT_DATE_FORMAT, 'OpenSearch_2.19')

/** Nobody tells these functions the time. */
function dateMillis(text: string): number {
  if (!text.startsWith('now')) return parseDateMath(text, DATES, { now: 0, roundUp: false })
  throw new ScriptFault(
    new ScriptThrowable(
      'org.elasticsearch.ElasticsearchParseException',
      'could not read the current timestamp',
      new ScriptThrowable(
        'java.lang.NullPointerException',
        'Cannot invoke "java.util.function.LongSupplier.getAsLong()" because "now" is null',
      ),
    ),
  )
}

/** Runs what the real server's own code does for a script: its faults are told as causes. */
function wrapped<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ScriptFault)) throw error
    const { throwable } = error
    throw new ScriptFault(
      new ScriptThrowable('org.elasticsearch.ElasticsearchException', throwable.toText(), throwable),
    )
  }
}

function ofDoubles(name: string, arity: number, call: (args: readonly number[]) => number): ContextFunction {
  return {
    name,
    params: Array.from({ length: arity }, () => 'double'),
    returns: 'double',
    call: (args) => call(args as number[]),
  }
}
