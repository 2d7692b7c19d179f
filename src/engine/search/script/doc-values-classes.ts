import { geohashCell } from '../../mapping/geo/geohash.ts'
import type { DeprecatedUse } from '../../script/deprecated-use.ts'
import { fault } from '../../script/script-fault.ts'
import { ScriptArray } from '../../script/values/script-array.ts'
import type { ClassDefinition } from '../../script/values/script-class.ts'
import { boxedType } from '../../script/values/script-type.ts'
import type { Box, ScriptValue } from '../../script/values/script-value.ts'
import { arcMeters, planeMeters } from '../earth-distance.ts'
import { DOC_VALUES } from './doc-values-kinds.ts'
import type { DocValuesKind, DocValuesList } from './doc-values-list.ts'
import type { ScriptBytes } from './script-bytes.ts'
import type { ScriptGeoPoint } from './script-geo-point.ts'

/** A list of values: what all of them offer, and what one kind does beside. */
function listClass(
  kind: DocValuesKind,
  element: string,
  value: (list: DocValuesList) => unknown,
  methods: ClassDefinition['methods'] = {},
): ClassDefinition {
  return {
    name: kind.className.replaceAll('$', '.'),
    javaName: kind.className,
    parents: ['List'],
    isUnnamed: true,
    methods: {
      [`${boxedType(element)} get(int)`]: (self: DocValuesList, index: number) => self.get(index),
      [`${element} getValue()`]: value,
      'List getValues()': (self: DocValuesList) => used(self, VALUES),
      'void sort(Comparator)': () => {
        throw fault('UnsupportedOperationException', 'doc values are unmodifiable')
      },
      ...methods,
    },
  }
}

const use = (name: DeprecatedUse['name']): DeprecatedUse => ({ name, words: [] })
const VALUES = use('script_values')
const DATE = use('script_date')
const DATES = use('script_dates')

/** A list in which 6.8 sees something deprecated done. */
function used(list: DocValuesList, what: DeprecatedUse): DocValuesList {
  list.heard?.(what)
  return list
}

const first = (list: DocValuesList): ScriptValue => list.first()
const number = (list: DocValuesList): number => (list.first() as Box).value

/** The first point. @throws {ScriptFault} null_pointer_exception for a document without one */
function point(list: DocValuesList, what: string): ScriptGeoPoint {
  const found = list.first()
  if (found !== null) return found as ScriptGeoPoint
  throw fault('NullPointerException', `Cannot invoke "org.elasticsearch.common.geo.GeoPoint.${what}`)
}

type Meters = typeof arcMeters

function distance(list: DocValuesList, meters: Meters, lat: number, lon: number): number {
  const from = point(list, 'lat()" because "point" is null')
  return meters(from.lat, from.lon, lat, lon)
}

function geohashDistance(list: DocValuesList, geohash: string): number {
  const { lat, lon } = point(list, 'lat()" because "point" is null')
  const cell = geohashCell(geohash)
  return arcMeters(lat, lon, cell.south, cell.west)
}

/** Either coordinate of all points. */
function coordinates(list: DocValuesList, coordinate: 'lat' | 'lon'): ScriptArray {
  return new ScriptArray(
    'double',
    used(list, VALUES).items.map((one) => (one as ScriptGeoPoint)[coordinate]),
  )
}

const isEmpty = (list: DocValuesList): boolean => list.items.length === 0

const POINTS: ClassDefinition['methods'] = {
  'double getLat()': (self: DocValuesList) =>
    point(self, `lat()" because the return value of "${DOC_VALUES.points.className}.getValue()" is null`).lat,
  'double getLon()': (self: DocValuesList) =>
    point(self, `lon()" because the return value of "${DOC_VALUES.points.className}.getValue()" is null`).lon,
  'Object getLats()': (self: DocValuesList) => coordinates(self, 'lat'),
  'Object getLons()': (self: DocValuesList) => coordinates(self, 'lon'),
  'double arcDistance(double,double)': (self: DocValuesList, lat: number, lon: number) =>
    distance(self, arcMeters, lat, lon),
  'double arcDistanceWithDefault(double,double,double)': (
    self: DocValuesList,
    lat: number,
    lon: number,
    fallback: number,
  ) => (isEmpty(self) ? fallback : distance(self, arcMeters, lat, lon)),
  'double planeDistance(double,double)': (self: DocValuesList, lat: number, lon: number) =>
    distance(self, planeMeters, lat, lon),
  'double planeDistanceWithDefault(double,double,double)': (
    self: DocValuesList,
    lat: number,
    lon: number,
    fallback: number,
  ) => (isEmpty(self) ? fallback : distance(self, planeMeters, lat, lon)),
  'double geohashDistance(String)': (self: DocValuesList, geohash: string) => geohashDistance(self, geohash),
  'double geohashDistanceWithDefault(String,double)': (self: DocValuesList, geohash: string, fallback: number) =>
    isEmpty(self) ? fallback : geohashDistance(self, geohash),
}

const refuse = (): never => {
  throw fault('UnsupportedOperationException', null)
}

/** Maps that can be asked for one member, and nothing else. */
const LOOKUPS: readonly ClassDefinition[] = [
  'org.elasticsearch.search.lookup.LeafDocLookup',
  'org.elasticsearch.search.lookup.LeafFieldsLookup',
].map((javaName) => ({
  name: javaName,
  javaName,
  parents: ['Map'],
  isUnnamed: true,
  methods: {
    'int size()': refuse,
    'boolean isEmpty()': refuse,
    'boolean containsValue(Object)': refuse,
    'Set keySet()': refuse,
    'Collection values()': refuse,
    'Set entrySet()': refuse,
  },
}))

/** Classes of what `doc` gives in 6.x. */
export const DOC_VALUES_CLASSES: readonly ClassDefinition[] = [
  ...LOOKUPS,
  listClass(DOC_VALUES.longs, 'long', first),
  listClass(DOC_VALUES.bigIntegers, 'BigInteger', first),
  listClass(DOC_VALUES.doubles, 'double', number),
  listClass(DOC_VALUES.booleans, 'boolean', first),
  listClass(DOC_VALUES.strings, 'String', first),
  listClass(DOC_VALUES.addresses, 'String', first),
  listClass(DOC_VALUES.bytes, 'Object', first),
  listClass(DOC_VALUES.points, 'Object', first, POINTS),
  listClass(DOC_VALUES.dates, 'Object', first, {
    'Object getDate()': (self: DocValuesList) => used(self, DATE).first(),
    'List getDates()': (self: DocValuesList) => used(self, DATES),
  }),
  {
    name: 'org.elasticsearch.common.geo.GeoPoint',
    javaName: 'org.elasticsearch.common.geo.GeoPoint',
    isUnnamed: true,
    methods: {
      'double getLat()': (self: ScriptGeoPoint) => self.lat,
      'double getLon()': (self: ScriptGeoPoint) => self.lon,
    },
  },
  {
    name: 'org.apache.lucene.util.BytesRef',
    javaName: 'org.apache.lucene.util.BytesRef',
    isUnnamed: true,
    methods: {
      'int getLength()': (self: ScriptBytes) => self.bytes.length,
      'int getOffset()': () => 0,
      'boolean bytesEquals(Object)': (self: ScriptBytes, other: ScriptValue) => self.isEqual(other),
      'String utf8ToString()': (self: ScriptBytes) => Buffer.from(self.bytes).toString('utf8'),
    },
  },
]

/** What 7.0 took away. */
const UNTIL_7 = new Set(['List getValues()', 'Object getDate()', 'List getDates()'])

/** The same since 7.0. */
export const DOC_VALUES_CLASSES_7: readonly ClassDefinition[] = DOC_VALUES_CLASSES.map((definition) => ({
  ...definition,
  methods: Object.fromEntries(
    Object.entries(definition.methods ?? {}).filter(([signature]) => !UNTIL_7.has(signature)),
  ),
}))
