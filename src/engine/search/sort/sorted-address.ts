import { latin1Text } from '../../algorithms/latin1-text.ts'
import { formatAddress, parseAddress } from '../../mapping/types/ip-address.ts'

/** An address as it is sorted by: a text of its 16 bytes, a character each, so that texts stand in the addresses' order. */
export function sortedAddress(bytes: Uint8Array): string {
  return latin1Text(bytes)
}

/** What {@link sortedAddress} makes of a written address. @throws {ServiceError} illegal_argument_exception */
export function sortedAddressOf(text: string): string {
  return sortedAddress(parseAddress(text))
}

/** The address that is sorted by so, as it is written. */
export function shownAddress(sorted: string): string {
  return formatAddress(Buffer.from(sorted, 'latin1'))
}
