import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../errors.ts'
import { resolveDateMathName } from './date-math-name.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { validateAlias } from './validate-alias.ts'
import { validateIndexName, validateNewIndexName } from './validate-name.ts'
import { validateTypeName } from './validate-type-name.ts'

function fault(act: () => void): string {
  try {
    act()
  } catch (error) {
    return `${(error as ServiceError).type}: ${(error as ServiceError).reason}`
  }
  return 'fine'
}

describe('index names', () => {
  const check = (name: string): string => fault(() => validateIndexName(name, 'Elasticsearch_6.8'))
  it('are refused in the words of 6.8', () => {
    expect(check('MpUpper')).toBe('invalid_index_name_exception: Invalid index name [MpUpper], must be lowercase')
    for (const name of ['a b', 'a,b', 'a/b', 'a\\b', 'a*', 'a?', 'a"', 'a<', 'a>', 'a|']) {
      expect(check(name)).toBe(
        `invalid_index_name_exception: Invalid index name [${name}], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`,
      )
    }
    expect(check('a#b')).toBe("invalid_index_name_exception: Invalid index name [a#b], must not contain '#'")
    for (const name of ['_a', '-a', '+a', '_all']) {
      expect(check(name)).toBe(
        `invalid_index_name_exception: Invalid index name [${name}], must not start with '_', '-', or '+'`,
      )
    }
    const long = '한'.repeat(86)
    expect(check(long)).toBe(
      `invalid_index_name_exception: Invalid index name [${long}], index name is too long, (258 > 255)`,
    )
    expect(check('..')).toBe("invalid_index_name_exception: Invalid index name [..], must not be '.' or '..'")
  })
  it('are refused where nobody could read them, which the real server takes', () => {
    for (const name of ['a\0b', 'a\nb', 'a\u0085b', 'a\ufffdb'])
      expect(check(name)).toContain('must not contain control characters, or bytes that are not UTF-8')
  })
  it('may be odd', () => {
    for (const name of ['.a', 'a.', 'ß', 'a:b', 'a%', 'a&b', '한글', '__proto__'.slice(2), 'm'.repeat(255)]) {
      expect(check(name)).toBe('fine')
    }
    expect(fault(() => validateIndexName('a:b', 'OpenSearch_2.19'))).toBe(
      "invalid_index_name_exception: Invalid index name [a:b], must not contain ':'",
    )
  })
  it('are taken once', () => {
    const existing: IndexMetadata = {
      name: 'a',
      uuid: 'u',
      creationDate: 0,
      settings: {},
      mappings: {},
      aliases: { other: {} },
      state: 'open',
    }
    const indices = new Map([['a', existing]])
    const check = (name: string): string => fault(() => validateNewIndexName(name, indices, 'Elasticsearch_6.8'))
    expect(check('a')).toBe('resource_already_exists_exception: index [a/u] already exists')
    expect(check('other')).toBe('invalid_index_name_exception: Invalid index name [other], already exists as alias')
    expect(fault(() => validateAlias('a', undefined, indices, 'Elasticsearch_6.8'))).toBe(
      'invalid_alias_name_exception: Invalid alias name [a], an index exists with the same name as the alias',
    )
  })
})

describe('alias names', () => {
  it('are refused as index names are, but for upper case', () => {
    const check = (name: string): string => fault(() => validateAlias(name, undefined, undefined, 'Elasticsearch_6.8'))
    expect(check('Up')).toBe('fine')
    expect(check('a,b')).toBe(
      'invalid_alias_name_exception: Invalid alias name [a,b]: must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    )
    expect(check('_x')).toBe(
      "invalid_alias_name_exception: Invalid alias name [_x]: must not start with '_', '-', or '+'",
    )
    expect(check('a#b')).toBe("invalid_alias_name_exception: Invalid alias name [a#b]: must not contain '#'")
  })
})

describe('type names', () => {
  it('are refused in the words of 6.8', () => {
    expect(fault(() => validateTypeName('_x'))).toBe(
      "invalid_type_name_exception: mapping type name [_x] can't start with '_' unless it is called [_doc]",
    )
    expect(fault(() => validateTypeName('_x', true))).toBe(
      "invalid_type_name_exception: Document mapping type name can't start with '_', found: [_x]",
    )
    expect(fault(() => validateTypeName('a,b'))).toBe(
      "invalid_type_name_exception: mapping type name [a,b] should not include ',' in it",
    )
    expect(fault(() => validateTypeName('.a'))).toBe(
      "illegal_argument_exception: mapping type name [.a] must not start with a '.'",
    )
    expect(fault(() => validateTypeName('_doc'))).toBe('fine')
  })
})

describe('date math names', () => {
  const now = Date.UTC(2026, 10, 21, 20)
  const name = (text: string): string => resolveDateMathName(text, now, 'Elasticsearch_6.8')
  it('are resolved', () => {
    expect(name('<logs-{now/d}>')).toBe('logs-2026.11.21')
    expect(name('<logs-{now/d{yyyy.MM.dd|+09:00}}>')).toBe('logs-2026.11.22')
    expect(name('<logs-{now-1M/M{yyyy.MM}}-x>')).toBe('logs-2026.10-x')
    expect(name('<{now/d}-{now/y{yyyy}}>')).toBe('2026.11.21-2026')
    expect(name('<mp-\\{x\\}>')).toBe('mp-{x}')
    expect(name('logs')).toBe('logs')
    expect(name('<logs')).toBe('<logs')
  })
  it('are refused when broken', () => {
    expect(fault(() => name('<logs-{now/d>'))).toContain('date math placeholder is open ended')
    expect(fault(() => name('<logs-now}>'))).toContain('invalid character at position [8]')
    expect(fault(() => name('<logs-{now{}}>'))).toContain('missing date format')
  })
})
