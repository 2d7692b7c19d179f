import { type IpRange, parseIp, parseIpRange, rangeContains } from '../access/policy/ip-range.ts'

/**
 * Makes the function that says whose address a request counts under.
 *
 * @param trustedProxies  addresses or ranges whose `X-Forwarded-For` is believed; of others it has no effect
 * @throws {Error} for an entry that is no range
 */
export function sourceIpReader(
  trustedProxies: readonly string[],
): (peer: string, forwardedFor: string | undefined) => string {
  const ranges = trustedProxies.map((text) => {
    const range = parseIpRange(text)
    if (range === undefined) throw new Error(`trustedProxies: [${text}] is no address or range`)
    return range
  })
  return (peer, forwardedFor) => {
    if (ranges.length === 0 || forwardedFor === undefined || !isTrusted(ranges, peer)) return plain(peer)
    // From the nearest hop outwards: the first that is no proxy of ours is the client.
    const hops = forwardedFor.split(',').map((hop) => hop.trim())
    for (const hop of hops.reverse()) {
      if (parseIp(hop) === undefined) break
      if (!isTrusted(ranges, hop)) return plain(hop)
    }
    return plain(peer)
  }
}

function isTrusted(ranges: readonly IpRange[], address: string): boolean {
  const bytes = parseIp(address)
  return bytes !== undefined && ranges.some((range) => rangeContains(range, bytes))
}

/** `::ffff:203.0.113.1`, as a dual-stack socket says it, is `203.0.113.1`; a link (`fe80::1%eth0`) is no part of an address. */
function plain(address: string): string {
  const bare = address.replace(/%.*$/s, '')
  const bytes = bare.includes(':') ? parseIp(bare) : undefined
  return bytes?.length === 4 ? bytes.join('.') : bare
}
