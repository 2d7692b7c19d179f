import { describe, expect, it } from 'vitest'
import { parseLosslessJson } from '../mapping/lossless-json.ts'
import { mergeDocument } from './merge-document.ts'
import { readForUpdate, writeUpdated } from './update-source.ts'

/** What an update makes of a source, or `noop`. */
function update(source: string, doc: string): string {
  const partial = parseLosslessJson(doc) as Record<string, unknown>
  const { merged, changed } = mergeDocument(readForUpdate(Buffer.from(source)), partial)
  return changed ? String(writeUpdated(merged)) : 'noop'
}

describe('an updated source', () => {
  // Asked of Elasticsearch 6.8.23.
  it('has its numbers as the real server writes them', () => {
    const source =
      '{"a":1.0,"big":1234567890123456789,"e":1e3,"h":1.10,"s":{"x":2.0},"z":0.1e-7,"n":-0.0,"m":100000000.0, "i":-0}'
    const updated =
      '{"a":1.0,"big":1234567890123456789,"e":1000.0,"h":1.1,"s":{"x":2.0},"z":1.0E-8,"n":-0.0,"m":1.0E8,"i":0,"b":3.0}'
    expect(update(source, '{"b":3.0,"a":1.0}')).toBe(updated)
    expect(update(updated, '{"a":1}')).toBe(updated.replace('"a":1.0', '"a":1'))
    expect(update(updated, '{"h":1.1}')).toBe('noop')
    expect(update(updated, '{"h":1.10,"e":1e3}')).toBe('noop')
  })

  it('keeps everything else as it was', () => {
    expect(update('{"t":"a\\u0000\\"é","l":[1,{"x":null},true,1.5]}', '{"__proto__":{"y":1}}')).toBe(
      '{"t":"a\\u0000\\"é","l":[1,{"x":null},true,1.5],"__proto__":{"y":1}}',
    )
  })
})
