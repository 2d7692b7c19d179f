import { describe, expect, it } from 'vitest'
import { DissectPattern } from './dissect-pattern.ts'

function parse(pattern: string, text: string, separator = ''): object | undefined {
  const found = new DissectPattern(pattern, separator).parse(text)
  return found === undefined ? undefined : Object.fromEntries(found)
}

// Answers of Elasticsearch 6.8.23, which the processor was compared with on thousands of patterns.
describe('a dissect pattern', () => {
  it('takes values from between what separates them', () => {
    expect(parse('%{a} - %{b},%{c}', 'x - y,z w')).toEqual({ a: 'x', b: 'y', c: 'z w' })
    expect(parse('[%{a}] %{b}', '[1] 한글 é')).toEqual({ a: '1', b: '한글 é' })
    expect(parse('%{a},%{b}', 'a b')).toBeUndefined()
    expect(parse('%{a},%{b},%{c}', 'x,,z')).toEqual({ a: 'x', b: '', c: 'z' })
  })

  it('passes keys without a name over, and those with a question mark', () => {
    expect(parse('%{a} %{} %{?skipped} %{b}', '1 2 3 4')).toEqual({ a: '1', b: '4' })
  })

  it('puts values of one name together, in the order asked for', () => {
    expect(parse('%{+a} %{b} %{+a}', '1 2 3', '-')).toEqual({ a: '1-3', b: '2' })
    expect(parse('%{+a/2} %{+a/1} %{+a/3}', '1 2 3', ',')).toEqual({ a: '2,1,3' })
    expect(parse('%{a} %{+a}', '1 2')).toEqual({ a: '12' })
  })

  it('takes names of fields from the text', () => {
    expect(parse('%{*k}=%{&k}', 'color=red')).toEqual({ color: 'red' })
  })

  it('passes padding over where it is told to', () => {
    expect(parse('%{a->} %{b}', 'x     y')).toEqual({ a: 'x', b: 'y' })
    expect(parse('[%{a}]%{->}[%{b}]', '[x]   [y]')).toEqual({ a: 'x', b: 'y' })
  })

  it('is refused where it has no keys, or keys that make no sense', () => {
    expect(() => parse('x', '')).toThrow('Unable to find any keys or delimiters.')
    expect(() => parse('%{a+/} %{b}', '')).toThrow('Unable to parse key: a+/ Reason: The key name could be determined')
    expect(() => parse('%{*?a} %{b}', '')).toThrow('multiple modifiers are not allowed.')
    expect(() => parse('%{*a} %{b}', '')).toThrow('Found invalid key/reference associations')
    expect(() => parse('%{+a/99999} %{b}', '')).toThrow('Value out of range. Value:"99999" Radix:10')
  })
})
