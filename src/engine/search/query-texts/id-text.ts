import { bytesText } from './address-text.ts'

const NUMERIC = 0xfe
const BASE64_ESCAPE = 0xfd
const UTF8 = 0xff

/** Ids as terms of `_id`, which is what queries are told by: different ones, in the order of their bytes. */
export function idTexts(ids: readonly string[]): string[] {
  return [...new Set(ids)].map(idTerm).sort(Buffer.compare).map(bytesText)
}

/** An id as its term: two digits a byte, or what Base64 stands for, or its characters. @source Uid.encodeId */
export function idTerm(id: string): Buffer {
  if (/^\d+$/.test(id))
    return Buffer.concat([Buffer.of(NUMERIC), Buffer.from(`${id}f`.slice(0, (id.length + 1) & ~1), 'hex')])
  if (!isBase64(id)) return Buffer.concat([Buffer.of(UTF8), Buffer.from(id)])
  const bytes = Buffer.from(id, 'base64url')
  return (bytes[0] as number) >= BASE64_ESCAPE ? Buffer.concat([Buffer.of(BASE64_ESCAPE), bytes]) : bytes
}

/** Whether it is Base64 for URLs without padding, whose last character leaves no bit over. */
function isBase64(id: string): boolean {
  if (!/^[\w-]+$/.test(id)) return false
  switch (id.length % 4) {
    case 1:
      return false
    case 2:
      return /[AQgw]$/.test(id)
    case 3:
      return /[AEIMQUYcgkosw048]$/.test(id)
    default:
      return true
  }
}
