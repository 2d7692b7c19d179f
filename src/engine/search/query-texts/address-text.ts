import { formatAddress, isMappedV4 } from '../../mapping/types/ip-address.ts'
import type { TwoWays } from './two-ways.ts'

/** Bytes of a term that is no text, as Lucene shows them. */
export function bytesText(bytes: Uint8Array): string {
  return `[${Array.from(bytes, (byte) => byte.toString(16)).join(' ')}]`
}

/** What a range of addresses is called. */
export function addressRangeText(path: string, first: Uint8Array, last: Uint8Array): TwoWays {
  return {
    byIndex: `${path}:[${addressText(first)} TO ${addressText(last)}]`,
    byColumn: `${path}:[${bytesText(first)} TO ${bytesText(last)}]`,
  }
}

/** The same of some addresses. */
export function addressesText(path: string, addresses: readonly Uint8Array[]): TwoWays {
  const sorted = addresses.toSorted(Buffer.compare)
  const different = sorted.filter((address, i) => i === 0 || Buffer.compare(address, sorted[i - 1] as Uint8Array) !== 0)
  return {
    byIndex: `${path}:{${different.map(addressText).join(' ')}}`,
    byColumn: `${path}:(${different.map(bytesText).join(' ')})`,
  }
}

/** An address as Java's `getHostAddress` writes it, which shortens nothing. */
export function addressText(address: Uint8Array): string {
  if (isMappedV4(address)) return formatAddress(address)
  const groups = Array.from({ length: 8 }, (_, i) => ((address[i * 2] as number) << 8) | (address[i * 2 + 1] as number))
  return groups.map((group) => group.toString(16)).join(':')
}
