import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { aliasFilters, resolveIndexRouting, resolveSearchRouting } from './alias-routing.ts'
import type { AliasMetadata, IndexMetadata } from './index-metadata.ts'
import type { IndicesOptions } from './indices-options.ts'
import { checkWriteIndices, resolveReadIndex, resolveWriteIndex } from './resolve-alias.ts'
import { type ResolveScope, resolveIndices, resolveNames } from './resolve-indices.ts'

// Expectations are what Elasticsearch 6.8.23 answered to the same indices and expressions.

function index(
  name: string,
  aliases: Record<string, AliasMetadata> = {},
  state: 'open' | 'close' = 'open',
): IndexMetadata {
  return { name, uuid: `uuid-${name}`, creationDate: 0, settings: {}, mappings: {}, aliases, state }
}

const indices = new Map(
  [
    index('mpa', {
      mpal: {},
      mpone: {},
      filtered: { filter: { term: { a: 1 } } },
      routed: { indexRouting: '1', searchRouting: '1,2' },
    }),
    index('mpb', { mpal: {} }),
    index('mpc', { mpclosedal: {} }, 'close'),
    index('other'),
  ].map((metadata) => [metadata.name, metadata]),
)

function scope(all: ReadonlyMap<string, IndexMetadata>): ResolveScope {
  return { indices: all, engineVersion: 'Elasticsearch_6.8', now: Date.UTC(2026, 10, 21) }
}

const SEARCH: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandWildcardsOpen: true,
  expandWildcardsClosed: false,
  expandWildcardsHidden: false,
  allowAliasesToMultipleIndices: true,
  forbidClosedIndices: true,
  ignoreAliases: false,
  ignoreDataStreams: false,
}

function names(expression: string, options: Partial<IndicesOptions> = {}): string {
  const expressions = expression === '' ? [] : expression.split(',')
  try {
    return resolveIndices(expressions, { ...SEARCH, ...options }, scope(indices)).join(' ')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { metadata = {}, index: named } = error.detail
    return `${error.type} ${error.reason} ${named ?? ''} ${String(metadata['resource.type'] ?? '')} ${String(metadata['resource.id'] ?? '')}`.trim()
  }
}

const missing = (name: string, type = 'index_or_alias'): string =>
  `index_not_found_exception no such index ${name} ${type} ${name}`

describe('an index expression', () => {
  it('names indices, aliases, patterns, all', () => {
    expect(names('mpa')).toBe('mpa')
    expect(names('mp*')).toBe('mpa mpb')
    expect(names('mpal')).toBe('mpa mpb')
    expect(names('mpal,mpa')).toBe('mpa mpb')
    expect(names('mpal*')).toBe('mpa mpb')
    expect(names('_all')).toBe('mpa mpb other')
    expect(names('*')).toBe('mpa mpb other')
    expect(names('')).toBe('mpa mpb other')
    expect(names('mpa,*')).toBe('mpa mpb other')
  })

  it('leaves out what stands behind a minus, after a pattern', () => {
    expect(names('mp*,-mpa')).toBe('mpb')
    expect(names('*,-mpa')).toBe('mpb other')
    expect(names('mp*,-mp*')).toBe('')
    expect(names('mp*,-mpal')).toBe('mpa mpb')
    expect(names('mpal*,-mpa')).toBe('mpb')
    expect(names('mp*,-mpx')).toBe(missing('mpx'))
    expect(names('-mpa')).toBe(missing('-mpa'))
    expect(names('mpa,-mpa')).toBe(missing('-mpa'))
    expect(names('-*')).toBe('')
  })

  it('fails where a name leads nowhere', () => {
    expect(names('mpx')).toBe(missing('mpx'))
    expect(names('mpa,mpx')).toBe(missing('mpx'))
    expect(names('mpx*')).toBe('')
    expect(names('+mpa')).toBe(missing('+mpa'))
    expect(names('_foo')).toBe("invalid_index_name_exception Invalid index name [_foo], must not start with '_'. _foo")
    expect(names('_all,mpa')).toBe(
      "invalid_index_name_exception Invalid index name [_all], must not start with '_'. _all",
    )
  })

  it('fails on closed indices named, and passes them over in patterns', () => {
    expect(names('mpc')).toBe('index_closed_exception closed mpc')
    expect(names('mpa,mpc')).toBe('index_closed_exception closed mpc')
    expect(names('mpclosedal')).toBe('index_closed_exception closed mpc')
    expect(names('mpc', { forbidClosedIndices: false })).toBe('mpc')
  })

  it('follows ignore_unavailable and allow_no_indices', () => {
    expect(names('mpx', { ignoreUnavailable: true })).toBe('')
    expect(names('mpa,mpx', { ignoreUnavailable: true })).toBe('mpa')
    expect(names('mpc', { ignoreUnavailable: true })).toBe('')
    expect(names('mpa,mpc', { ignoreUnavailable: true })).toBe('mpa')
    expect(names('mpx*', { allowNoIndices: false })).toBe(missing('mpx*'))
    expect(names('mpx', { ignoreUnavailable: true, allowNoIndices: false })).toBe(missing('mpx', 'index_expression'))
    expect(names('mpc', { ignoreUnavailable: true, allowNoIndices: false })).toBe(
      'index_not_found_exception no such index  index_expression mpc',
    )
  })

  it('follows expand_wildcards', () => {
    const closed = { expandWildcardsOpen: false, expandWildcardsClosed: true }
    expect(names('mp*', closed)).toBe('index_closed_exception closed mpc')
    expect(names('mp*', { ...closed, forbidClosedIndices: false })).toBe('mpc')
    const none = { expandWildcardsOpen: false, expandWildcardsClosed: false }
    expect(names('mp*', none)).toBe('')
    expect(names('_all', none)).toBe('')
    expect(names('mpx', none)).toBe('')
    expect(names('mpa,mpx', none)).toBe(missing('mpx', 'index_expression'))
    expect(names('_all', { expandWildcardsClosed: true, forbidClosedIndices: false })).toBe('mpa mpb mpc other')
  })

  it('does not take aliases where only indices may be named', () => {
    expect(names('mpal', { ignoreAliases: true })).toBe(
      'illegal_argument_exception The provided expression [mpal] matches an alias, specify the corresponding concrete indices instead.',
    )
    expect(names('mpal*', { ignoreAliases: true })).toBe('')
  })

  it('resolves date math', () => {
    expect(names('<mpa-{now/d}>')).toBe(missing('mpa-2026.11.21'))
    expect(names('<mp{x}>')).toBe(
      'parse_exception failed to parse date field [x] with format [8uuuu.MM.dd]: [failed to parse date field [x] with format [8uuuu.MM.dd]]',
    )
  })
})

describe('one document goes to one index', () => {
  const write = (name: string) => resolveWriteIndex(name, scope(indices))?.name
  it('to the index, the only one of an alias, or the one that is marked', () => {
    expect(write('mpa')).toBe('mpa')
    expect(write('mpone')).toBe('mpa')
    expect(write('nope')).toBeUndefined()
    expect(() => write('mpal')).toThrow(
      'no write index is defined for alias [mpal]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index',
    )
    const marked = new Map([
      ['a', index('a', { w: {} })],
      ['b', index('b', { w: { isWriteIndex: true } })],
    ])
    expect(resolveWriteIndex('w', scope(marked))?.name).toBe('b')
    const off = new Map([['a', index('a', { w: { isWriteIndex: false } })]])
    expect(() => resolveWriteIndex('w', scope(off))).toThrow('no write index is defined for alias [w]')
  })
  it('and is read from one', () => {
    const read = (name: string) => resolveReadIndex(name, scope(indices)).name
    expect(read('mpone')).toBe('mpa')
    expect(() => read('mpal')).toThrow(
      "Alias [mpal] has more than one indices associated with it [[mpa, mpb]], can't execute a single index op",
    )
    expect(() => read('mp*')).toThrow('no such index')
    expect(() => read('mpc')).toThrow('closed')
  })
  it('with one write index an alias', () => {
    const two = new Map([
      ['b', index('b', { w: { isWriteIndex: true } })],
      ['a', index('a', { w: { isWriteIndex: true } })],
    ])
    expect(() => checkWriteIndices('w', two)).toThrow('alias [w] has more than one write index [a,b]')
  })
})

describe('aliases', () => {
  const mpa = indices.get('mpa') as IndexMetadata
  const resolved = (...expressions: string[]) => resolveNames(expressions, SEARCH, scope(indices))
  it('filter an index that is reached through them alone', () => {
    expect(aliasFilters(mpa, resolved('filtered'))).toEqual([{ term: { a: 1 } }])
    expect(aliasFilters(mpa, resolved('filt*'))).toEqual([{ term: { a: 1 } }])
    expect(aliasFilters(mpa, resolved('filtered', 'mpa'))).toBeUndefined()
    expect(aliasFilters(mpa, resolved('filtered', 'mpone'))).toBeUndefined()
    expect(aliasFilters(mpa, resolved('mp*'))).toBeUndefined()
    expect(aliasFilters(mpa, resolved())).toBeUndefined()
  })
  it('route', () => {
    expect(resolveIndexRouting('routed', undefined, mpa)).toBe('1')
    expect(resolveIndexRouting('mpa', '7', mpa)).toBe('7')
    expect(() => resolveIndexRouting('routed', '7', mpa)).toThrow(
      'Alias [routed] has index routing associated with it [1], and was provided with routing value [7], rejecting operation',
    )
    expect([...(resolveSearchRouting(mpa, resolved('routed'), undefined) ?? [])]).toEqual(['1', '2'])
    expect([...(resolveSearchRouting(mpa, resolved('routed'), new Set(['2', '3'])) ?? [])]).toEqual(['2'])
    expect(resolveSearchRouting(mpa, resolved('routed', 'mpa'), undefined)).toBeUndefined()
  })
})
