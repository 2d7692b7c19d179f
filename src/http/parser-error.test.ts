import { describe, expect, it } from 'vitest'
import { HTTP_ELASTICSEARCH_6 } from './http-dialect.ts'
import type { HttpLimits } from './http-limits.ts'
import { answerParserError } from './parser-error.ts'

const limits = { maxLineBytes: 4096, maxHeaderBytes: 8192 } as HttpLimits
const answered = (code: string, reason: string) =>
  answerParserError(Object.assign(new Error(reason), { code, reason }), limits, HTTP_ELASTICSEARCH_6)

describe('what the parser says', () => {
  it('is told of bytes that are no request', () => {
    expect(answered('HPE_INVALID_HEADER_TOKEN', 'Invalid header value char')).toMatchObject({
      status: 400,
      message: 'malformed request: Invalid header value char',
    })
  })

  it('is no fault of a request where it waits until answers are taken', () => {
    expect(answered('HPE_PAUSED', 'Paused')).toBeUndefined()
  })
})
