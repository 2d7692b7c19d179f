import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Reader } from 'mmdb-lib'
import { formatAddress, isMappedV4, parseAddress } from '../../../engine/mapping/types/ip-address.ts'
import { illegalArgument } from '../../../illegal-argument.ts'

/** Names of a place by language. */
interface Named {
  readonly names?: { readonly en?: string }
  readonly iso_code?: string
}

/** What a database of places or networks has of an address, as far as it is asked for (GeoLite2 and GeoIP2). */
export interface GeoRecord {
  readonly continent?: Named
  readonly country?: Named
  /** From the largest to the most specific one. */
  readonly subdivisions?: readonly Named[]
  readonly city?: Named
  readonly location?: { readonly latitude?: number; readonly longitude?: number; readonly time_zone?: string }
  readonly autonomous_system_number?: number
  readonly autonomous_system_organization?: string
}

/** What was found of an address. */
export interface GeoFind {
  /** As texts show it. */
  readonly ip: string
  readonly record: GeoRecord
  /** The largest network that has this record: `8.8.8.0/24`. */
  readonly network: string
}

/** Folder of the data directory in which databases are looked for: the real servers' `config/ingest-geoip`. */
const FOLDER = 'ingest-geoip'

/** A database of addresses in MaxMind's format, held in memory. */
export class GeoDatabase {
  /** Its `database_type`: `GeoLite2-City`, … */
  readonly type: string
  readonly #reader: Reader<never>

  /** @throws {Error} for a file that is none */
  constructor(file: string) {
    // Few need it, and everybody would wait for it at the start.
    const library = createRequire(import.meta.url)('mmdb-lib') as typeof import('mmdb-lib')
    this.#reader = new library.Reader(readFileSync(file))
    this.type = this.#reader.metadata.databaseType
  }

  /**
   * What is known of an address; undefined: nothing.
   *
   * @throws {ServiceError} illegal_argument_exception for what is no address
   */
  find(address: string): GeoFind | undefined {
    const bytes = parseAddress(address)
    const ip = formatAddress(bytes)
    if (this.#reader.metadata.ipVersion === 4 && !isMappedV4(bytes))
      throw illegalArgument(
        `Error looking up '${ip}'. You attempted to look up an IPv6 address in an IPv4-only database`,
      )
    const [record, prefix] = this.#reader.getWithPrefixLength(ip)
    if (record === null) return undefined
    return { ip, record, network: networkOf(bytes, prefix) }
  }
}

function networkOf(bytes: Uint8Array, prefix: number): string {
  const offset = isMappedV4(bytes) ? 96 : 0
  const first = bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(prefix + offset - i * 8, 0), 8)))
  return `${formatAddress(first)}/${prefix}`
}

/** Databases by their files, read when first asked for and kept until the process ends. */
const databases = new Map<string, GeoDatabase>()

/**
 * A database by the name of its file in `<data>/ingest-geoip/`; undefined: there is none.
 *
 * @throws {Error} where it cannot be read
 */
export function geoDatabase(dataDir: string, name: string): GeoDatabase | undefined {
  const folder = join(dataDir, FOLDER)
  const file = join(folder, name)
  let database = databases.get(file)
  if (database === undefined) {
    // A name of the folder's own list leads nowhere else.
    if (!name.endsWith('.mmdb') || !namesIn(folder).includes(name)) return undefined
    database = new GeoDatabase(file)
    databases.set(file, database)
  }
  return database
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
