import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'

const PAYLOAD = 'org.apache.lucene.analysis.tokenattributes.PayloadAttribute'

/** Turns the text behind a delimiter into bytes. */
export type PayloadEncoder = (text: string) => Uint8Array

const unparsable = (reason: string) => new ServiceError('number_format_exception', reason)

/** Encoders by their name in the settings; an unknown name means `float`. @source Lucene, FloatEncoder, IntegerEncoder, IdentityEncoder */
export const PAYLOAD_ENCODERS: Readonly<Record<string, PayloadEncoder>> = {
  float(text) {
    const trimmed = text.trim()
    if (trimmed === '') throw unparsable('empty String')
    if (!/^[-+]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFdD]?)$/.test(trimmed))
      throw unparsable(`For input string: "${text}"`)
    const bytes = Buffer.alloc(4)
    bytes.writeFloatBE(Number(trimmed.replace(/[fFdD]$/, '')))
    return bytes
  },
  int(text) {
    if (!/^-?\d+$/.test(text)) throw unparsable('Unable to parse')
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(Number(text) | 0)
    return bytes
  },
  identity: (text) => Buffer.from(text, 'utf8'),
}

/**
 * Takes what stands behind a delimiter (`word|0.5`) off the term and keeps it as payload.
 *
 * @source Lucene, DelimitedPayloadTokenFilter; fails with number_format_exception on text it cannot read
 */
export function delimitedPayloadFilter(delimiter: string, encode: PayloadEncoder): TokenFilter {
  return {
    attribute: 'payload',
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens.terms[i] as string
        const at = term.indexOf(delimiter)
        if (at < 0) continue
        setPayload(tokens, i, encode(term.slice(at + 1)))
        tokens.terms[i] = term.slice(0, at)
      }
    },
  }
}

/** Keeps the token's type as payload. */
export function typeAsPayloadFilter(): TokenFilter {
  return {
    attribute: 'payload',
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) setPayload(tokens, i, Buffer.from(tokens.types[i] as string, 'utf8'))
    },
  }
}

/** The payload of a token; undefined where it has none. */
export function payloadOf(tokens: TokenBuffer, index: number): Buffer | undefined {
  const shown = tokens.attributes[index]?.[PAYLOAD]?.['payload']
  if (typeof shown !== 'string') return undefined
  return Buffer.from(
    shown
      .slice(1, -1)
      .split(' ')
      .map((byte) => Number.parseInt(byte, 16)),
  )
}

function setPayload(tokens: TokenBuffer, index: number, bytes: Uint8Array): void {
  const payload = bytes.length === 0 ? null : `[${Array.from(bytes, (b) => b.toString(16)).join(' ')}]`
  tokens.attributes[index] = { ...tokens.attributes[index], [PAYLOAD]: { payload } }
}
