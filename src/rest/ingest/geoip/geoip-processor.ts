import type { EngineVersion } from '../../../engine/engine-version.ts'
import { inJavaHashOrder } from '../../../engine/java/java-hash-order.ts'
import { javaDouble } from '../../../engine/java/java-number-text.ts'
import { JsonNumber } from '../../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../../errors.ts'
import type { IngestDocument, Value, ValueMap } from '../ingest-document.ts'
import { IngestFault } from '../ingest-fault.ts'
import type { FactoryContext, ProcessorFactory } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import type { GeoDatabase, GeoFind } from './geo-database.ts'

const CITY =
  'IP COUNTRY_ISO_CODE COUNTRY_NAME CONTINENT_NAME REGION_ISO_CODE REGION_NAME CITY_NAME TIMEZONE LOCATION'.split(' ')
const COUNTRY = ['IP', 'COUNTRY_ISO_CODE', 'COUNTRY_NAME', 'CONTINENT_NAME']
const ASN = ['IP', 'ASN', 'ORGANIZATION_NAME', 'NETWORK']

/** What a kind of database can be asked for, as faults list it, and what it is asked for where nothing is said. */
interface Kind {
  readonly properties: readonly string[]
  readonly unasked: readonly string[]
}

/** Kinds of databases by the end of their `database_type`. */
const KINDS: Readonly<Record<string, Kind>> = {
  '-City': { properties: CITY, unasked: CITY.filter((name) => name !== 'IP' && name !== 'TIMEZONE') },
  '-Country': { properties: COUNTRY, unasked: COUNTRY.filter((name) => name !== 'IP') },
  '-ASN': { properties: ASN, unasked: ASN },
}

/** Databases that come with the real servers, and not with this one: their licence does not let them. */
const EXPECTED: ReadonlySet<string> = new Set(['GeoLite2-ASN.mmdb', 'GeoLite2-City.mmdb', 'GeoLite2-Country.mmdb'])

/** `geoip`: what a database in the folder `ingest-geoip` of the data directory knows of an address. */
export const geoip: ProcessorFactory = (config, context) => {
  const isOld = context.engineVersion === 'Elasticsearch_6.8'
  const field = config.text('field')
  const target = config.text('target_field', 'geoip')
  const file = config.text('database_file', 'GeoLite2-City.mmdb')
  const names = config.optionalList('properties')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const firstOnly = isOld || config.boolean('first_only', true)
  const database = databaseOf(file, config, context)
  const kind = kindOf(database.type, context.engineVersion)
  const properties = names?.map((name) => config.property(name, kind?.properties ?? [], 'value')) ?? kind?.unasked
  if (properties === undefined) throw config.fault('database_file', `Unsupported database type [${database.type}]`)
  const about = (address: string): ValueMap | undefined => {
    if (kind === undefined) throw new IngestFault(`Unsupported database type [${database.type}]`, 'parse_exception')
    const found = findIn(database, address)
    if (found === undefined) return undefined
    const members = membersOf(found)
    const wanted = inJavaHashOrder(
      properties.map((name) => name.toLowerCase()).filter((name) => members[name] !== undefined),
    )
    if (wanted.length === 0) return undefined
    return Object.fromEntries(wanted.map((name) => [name, members[name] as Value]))
  }
  return (document) => {
    const addresses = addressesIn(document, field, ignoreMissing, isOld)
    if (addresses === undefined) return
    if (typeof addresses === 'string') {
      const found = about(addresses)
      if (found !== undefined) document.set(target, found)
      return
    }
    const list: Value[] = []
    for (const address of addresses) {
      if (typeof address !== 'string') throw new IngestFault(`array in field [${field}] should only contain strings`)
      const found = about(address)
      if (found !== undefined && firstOnly) {
        document.set(target, found)
        return
      }
      list.push(found ?? null)
    }
    if (list.some((one) => one !== null)) document.set(target, list)
    return undefined
  }
}

/** @throws {ServiceError} parse_exception where there is none, or none that can be read */
function databaseOf(file: string, config: ProcessorConfig, context: FactoryContext): GeoDatabase {
  let database: GeoDatabase | undefined
  try {
    database = context.geoDatabase(file)
  } catch (error) {
    throw config.fault('database_file', `database file [${file}] cannot be read: ${(error as Error).message}`)
  }
  if (database !== undefined) return database
  const remedy = EXPECTED.has(file) ? ': put it into the folder [ingest-geoip] of the data directory' : ''
  throw config.fault('database_file', `database file [${file}] doesn't exist${remedy}`)
}

function kindOf(type: string, version: EngineVersion): Kind | undefined {
  const ending = Object.keys(KINDS).find((end) => type.endsWith(end))
  const kind = KINDS[ending ?? '']
  if (kind === undefined || version !== 'Elasticsearch_6.8') return kind
  return {
    properties: kind.properties.filter((name) => name !== 'NETWORK'),
    unasked: kind.unasked.filter((name) => name !== 'NETWORK' && name !== 'COUNTRY_NAME'),
  }
}

/** The address or addresses of a document; 6.8 takes one alone. @throws {IngestFault} */
function addressesIn(
  document: IngestDocument,
  field: string,
  ignoreMissing: boolean,
  isOld: boolean,
): string | readonly Value[] | undefined {
  if (isOld) return document.textToUse(field, ignoreMissing, 'extract geoip information')
  if (ignoreMissing && !document.has(field)) return undefined
  const value = document.get(field)
  if (typeof value === 'string' || Array.isArray(value)) return value
  if (value !== null) throw new IngestFault(`field [${field}] should contain only string or array of strings`)
  if (ignoreMissing) return undefined
  throw new IngestFault(`field [${field}] is null, cannot extract geoip information.`)
}

/** @throws {IngestFault} for what is no address */
function findIn(database: GeoDatabase, address: string): GeoFind | undefined {
  try {
    return database.find(address)
  } catch (error) {
    if (error instanceof ServiceError) throw new IngestFault(error.reason)
    throw error
  }
}

/** All that is known, by the names of properties. */
function membersOf({ ip, record, network }: GeoFind): { readonly [name: string]: Value | undefined } {
  const { continent, country, city, location } = record
  const region = record.subdivisions?.at(-1)
  const hasRegionCode = country?.iso_code !== undefined && region?.iso_code !== undefined
  const { latitude, longitude } = location ?? {}
  return {
    ip,
    continent_name: continent?.names?.en,
    country_iso_code: country?.iso_code,
    country_name: country?.names?.en,
    region_iso_code: hasRegionCode ? `${country.iso_code}-${region.iso_code}` : undefined,
    region_name: region?.names?.en,
    city_name: city?.names?.en,
    timezone: location?.time_zone,
    location:
      latitude === undefined || longitude === undefined
        ? undefined
        : { lon: new JsonNumber(javaDouble(longitude)), lat: new JsonNumber(javaDouble(latitude)) },
    asn: record.autonomous_system_number,
    organization_name: record.autonomous_system_organization,
    network,
  }
}
