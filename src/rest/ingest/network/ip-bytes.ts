import { isMappedV4, parseAddress } from '../../../engine/mapping/types/ip-address.ts'
import { ServiceError } from '../../../errors.ts'

/** The bytes of an IP address: 4 or 16, 4 too for one of version 4 written as one of version 6; undefined: it is none. */
export function ipBytes(text: string): Uint8Array | undefined {
  try {
    const bytes = parseAddress(text)
    return isMappedV4(bytes) ? bytes.subarray(12) : bytes
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
