import { createHash } from 'node:crypto'
import { classOf, type IngestDocument } from '../ingest-document.ts'
import { IngestFault } from '../ingest-fault.ts'
import type { ProcessorFactory } from '../processor.ts'
import { ipBytes } from './ip-bytes.ts'

interface Protocol {
  readonly number: number
  /** Whether it has ports. */
  readonly hasPorts: boolean
  /** Messages of ICMP that answer one another: the type asked → the one answered with. */
  readonly answers?: Readonly<Record<number, number>>
}

const both = (...pairs: readonly (readonly [number, number])[]): Readonly<Record<number, number>> =>
  Object.fromEntries(
    pairs.flatMap(
      ([a, b]) =>
        [
          [a, b],
          [b, a],
        ] as [number, number][],
    ),
  )

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  ICMP: { number: 1, hasPorts: false, answers: both([0, 8], [9, 10], [13, 14], [15, 16], [17, 18]) },
  TCP: { number: 6, hasPorts: true },
  UDP: { number: 17, hasPorts: true },
  ICMP_V6: {
    number: 58,
    hasPorts: false,
    answers: both([128, 129], [130, 131], [133, 134], [135, 136], [139, 140], [144, 145]),
  },
  SCTP: { number: 132, hasPorts: true },
}

/** The greatest port the real server takes, whatever its message says. */
const MAX_PORT = 63_335

/**
 * `community_id` (OpenSearch): the hash that names a flow between two hosts.
 *
 * @source https://github.com/corelight/community-id-spec
 */
export const communityId: ProcessorFactory = (config) => {
  const fields = {
    sourceIp: config.text('source_ip_field'),
    sourcePort: config.optionalText('source_port_field'),
    destinationIp: config.text('destination_ip_field'),
    destinationPort: config.optionalText('destination_port_field'),
    number: config.optionalText('iana_protocol_number_field'),
    protocol: config.optionalText('protocol_field'),
    icmpType: config.optionalText('icmp_type_field'),
    icmpCode: config.optionalText('icmp_code_field'),
  }
  const seed = config.integer('seed', 0)
  if (seed < 0 || seed > 65_535) throw config.fault('seed', 'seed must be between 0 and 65535')
  const target = config.text('target_field', 'community_id')
  const ignoreMissing = config.boolean('ignore_missing', false)
  /** What is not there is passed over, or told of. */
  const missing = (reason: string): undefined => {
    if (ignoreMissing) return undefined
    throw new IngestFault(reason)
  }
  const protocolOf = (document: IngestDocument): Protocol | undefined => {
    const number = integer(document, fields.number)
    if (number !== undefined) {
      const found = Object.values(PROTOCOLS).find((one) => one.number === number)
      if (found === undefined) throw new IngestFault(`unsupported iana protocol number [${number}]`)
      return found
    }
    const name = optionalText(document, fields.protocol)
    if (name !== undefined) {
      const key = name.toUpperCase() === 'IPV6-ICMP' ? 'ICMP_V6' : name.toUpperCase()
      if (!Object.hasOwn(PROTOCOLS, key)) throw new IngestFault(`unsupported protocol [${name}]`)
      return PROTOCOLS[key]
    }
    return missing(
      `cannot resolve protocol by neither iana protocol number field [${fields.number ?? null}] ` +
        `nor protocol name field [${fields.protocol ?? null}]`,
    )
  }
  const addressOf = (document: IngestDocument, field: string): Uint8Array | undefined => {
    if (field === '') return missing('both source ip field path and destination ip field path cannot be null nor empty')
    const text = optionalText(document, field)
    if (text === undefined || text === '') return missing(`ip address in the field [${field}] is null or empty`)
    const bytes = ipBytes(text)
    if (bytes === undefined)
      throw new IngestFault(`ip address [${text}] in the field [${field}] is not a valid ipv4/ipv6 address`)
    return bytes
  }
  const portOf = (document: IngestDocument, field: string | undefined): number | undefined => {
    if (field === undefined || field === '')
      return missing('both source port and destination port field path cannot be null nor empty')
    const port = integer(document, field)
    if (port === undefined) {
      return missing(
        `both source port and destination port cannot be null, but port in the field path [${field}] is null`,
      )
    }
    if (port >= 0 && port <= MAX_PORT) return port
    throw new IngestFault(
      `both source port and destination port must be between 0 and 65535, but port in the field path [${field}] is [${port}]`,
    )
  }
  const icmpOf = (document: IngestDocument, field: string | undefined, kind: 'type' | 'code'): number | undefined => {
    if (field === undefined || field === '') return missing(`icmp message ${kind} field path cannot be null nor empty`)
    const value = integer(document, field)
    if (value === undefined) return missing(`icmp message ${kind} cannot be null`)
    if (value >= 0 && value <= 255) return value
    throw new IngestFault(`invalid icmp message ${kind} [${value}]`)
  }
  return (document) => {
    const protocol = protocolOf(document)
    if (protocol === undefined) return
    let from = addressOf(document, fields.sourceIp)
    if (from === undefined) return
    let to = addressOf(document, fields.destinationIp)
    if (to === undefined) return
    if (from.length !== to.length) throw new IngestFault('source ip and destination ip must have same format')
    const isIcmp = protocol.answers !== undefined
    let left = isIcmp ? icmpOf(document, fields.icmpType, 'type') : portOf(document, fields.sourcePort)
    if (left === undefined) return
    const answer = protocol.answers?.[left]
    let right = isIcmp
      ? (answer ?? icmpOf(document, fields.icmpCode, 'code'))
      : portOf(document, fields.destinationPort)
    if (right === undefined) return
    const order = Buffer.compare(from, to)
    const isOrdered = order < 0 || (order === 0 && left < right)
    // Both directions of a flow have one name; a message that nothing answers has but one.
    if (!isOrdered && (!isIcmp || answer !== undefined)) {
      ;[from, to] = [to, from]
      ;[left, right] = [right, left]
    }
    const hash = createHash('sha1').update(two(seed)).update(from).update(to)
    hash
      .update(Buffer.from([protocol.number, 0]))
      .update(two(left))
      .update(two(right))
    document.set(target, `1:${hash.digest('base64')}`)
    return undefined
  }
}

function two(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function optionalText(document: IngestDocument, field: string | undefined): string | undefined {
  if (field === undefined || field === '' || !document.has(field)) return undefined
  return document.text(field) ?? undefined
}

function integer(document: IngestDocument, field: string | undefined): number | undefined {
  if (field === undefined || field === '' || !document.has(field)) return undefined
  const value = document.get(field)
  if (value === null) return undefined
  if (typeof value === 'number' && classOf(value) === 'java.lang.Integer') return value
  throw new IngestFault(`field [${field}] of type [${classOf(value)}] cannot be cast to [java.lang.Integer]`)
}
