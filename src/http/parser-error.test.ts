import { describe, expect, it } from 'vitest'
import { HTTP_ELASTICSEARCH_6 } from './http-dialect.ts'
import type { HttpLimits } from './http-limits.ts'
import { answerParserError } from './parser-error.ts'

const limits = { maxLineBytes: 4096, maxHeaderBytes: 8192 } as HttpLimits
const answered = (code: string, reason: string, text = '') =>
  answerParserError(
    Object.assign(new Error(reason), { code, reason, rawPacket: Buffer.from(text) }),
    limits,
    HTTP_ELASTICSEARCH_6,
  )

describe('what the parser says', () => {
  it('is told of bytes that are no request', () => {
    expect(answered('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char')).toMatchObject({
      status: 400,
      message: 'malformed request: Invalid header value char',
    })
  })

  it('is told of paths that do not begin as paths do', () => {
    const reason = 'Invalid char in url'
    expect(answered('HPE_INVALID_URL', reason, 'PUT _template/a?b HTTP/1.1\r\n')?.message).toBe(
      'the path must begin with /, it is _template/a?b',
    )
    expect(answered('HPE_INVALID_URL', reason, 'GET /\u0001 HTTP/1.1\r\n')?.message).toBe(
      `malformed request: ${reason}`,
    )
  })

  it('is no fault of a request where it waits until answers are taken', () => {
    expect(answered('HPE_PAUSED', 'Paused')).toBeUndefined()
  })
})
