import { EDGE_PREFIX } from './edge-routes.ts'

const SIGNING_NAME = /^x-amz-(?:signature|security-token)$/i

/**
 * A target as it may be logged: what signs a presigned request would let whoever reads the log send it again, and so would what
 * is meant to, and is written otherwise. Paths of the domain itself have no query: what is there belongs into a body, passwords too.
 */
export function withoutSignature(target: string | undefined): string | undefined {
  if (target === undefined || !/[?&;]/.test(target)) return target
  if (target.startsWith(EDGE_PREFIX)) return target.replace(/\?.*/, '?…')
  return target.replace(/([?&;])([^=&;?]*)=([^&;]*)/g, (whole, before: string, name: string) =>
    SIGNING_NAME.test(decoded(name)) ? `${before}${name}=…` : whole,
  )
}

function decoded(name: string): string {
  return name.replace(/%([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
