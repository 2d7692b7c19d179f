import type { HttpDialect } from './http-dialect.ts'
import type { HttpLimits } from './http-limits.ts'
import { WireError } from './wire-error.ts'

/** What Node's parser says of bytes that are no request. */
interface ParserFault extends Error {
  readonly code?: string
  readonly reason?: string
  readonly rawPacket?: Buffer
}

/**
 * The answer to bytes the parser refused, in the real server's form.
 *
 * @returns undefined when nobody is left to answer
 */
export function answerParserError(fault: ParserFault, limits: HttpLimits, dialect: HttpDialect): WireError | undefined {
  const packet = fault.rawPacket?.toString('latin1', 0, limits.maxLineBytes + limits.maxHeaderBytes) ?? ''
  switch (fault.code) {
    case 'ECONNRESET':
    case 'EPIPE':
    // The parser waits until answers are taken, and the other side has gone on or ended meanwhile: no request's fault.
    case 'HPE_PAUSED':
      return undefined
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return WireError.of(408, 'timeout_exception', 'the request was not whole in time')
    case 'HPE_HEADER_OVERFLOW': {
      const line = packet.indexOf('\r\n')
      return line < 0 || line > limits.maxLineBytes ? longLine(limits, dialect) : longHeader(limits, dialect)
    }
    case 'HPE_INVALID_METHOD': {
      const method = /^([^\s]{1,64})\s/.exec(packet)?.[1] ?? ''
      return WireError.of(400, 'illegal_argument_exception', `Unexpected http method: ${printable(method)}`)
    }
    case 'HPE_INVALID_CONTENT_LENGTH': {
      const length = /\r\ncontent-length:[ \t]*([^\r\n]{0,64})/i.exec(packet)?.[1] ?? ''
      return WireError.of(400, ...dialect.badLength(printable(length)))
    }
    case 'HPE_INVALID_URL': {
      // Elastic's own Java client sends it as it is given.
      const target = /^[A-Z]+ ([^\s/][^\s]{0,255})/.exec(packet)?.[1]
      if (target !== undefined)
        return WireError.of(400, 'illegal_argument_exception', `the path must begin with /, it is ${printable(target)}`)
      return malformed(fault)
    }
    case 'HPE_INVALID_CHUNK_SIZE':
      return WireError.of(400, 'number_format_exception', fault.reason ?? '')
    default:
      return malformed(fault)
  }
}

function malformed({ reason = 'cannot be parsed' }: ParserFault): WireError {
  return WireError.of(400, 'illegal_argument_exception', `malformed request: ${reason}`)
}

/** A request line beyond its limit. */
export function longLine(limits: HttpLimits, dialect: HttpDialect): WireError {
  return WireError.of(400, dialect.longLineType, `An HTTP line is larger than ${limits.maxLineBytes} bytes.`)
}

/** Headers beyond their limit. */
export function longHeader(limits: HttpLimits, dialect: HttpDialect): WireError {
  return WireError.of(400, dialect.longHeaderType, `HTTP header is larger than ${limits.maxHeaderBytes} bytes.`)
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
