import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClusterIndex, ClusterState } from './cluster-state.ts'
import { resolveNames } from './resolve-names.ts'

const state = stateOf({ books: ['reading'], 'books-old': [], secret: ['both'], logs: ['both'], '.system': [] })

describe('resolveNames', () => {
  it.each([
    ['books', ['books']],
    ['reading', ['books']],
    ['both', ['logs', 'secret']],
    ['b*', ['books', 'books-old', 'logs', 'secret']],
    ['books*,-books-old', ['books']],
    ['*,-secret', ['.system', 'books', 'books-old', 'logs']],
    ['*,-sec*', ['.system', 'books', 'books-old', 'logs']],
    ['secret,*,-secret,-books*,-logs', ['.system', 'secret']],
    ['-secret', ['.system', 'books', 'books-old', 'logs', 'secret']],
    ['*,-.*', ['.system', 'books', 'books-old', 'logs', 'secret']],
    ['_all', ['.system', 'books', 'books-old', 'logs', 'secret']],
    ['+books', ['books']],
    ['nothing', []],
  ])('finds what %s may touch', (expression, names) => {
    expect([...resolveNames(expression.split(','), state)].sort()).toEqual(names)
  })

  it('takes a data stream and an index behind it for both', () => {
    const common = { aliases: [], pipelines: [], searchPipeline: undefined, type: undefined }
    const index = { ...common, isHidden: true, isStream: false, behind: [], stream: 'logs' }
    const stream = { ...common, isHidden: false, isStream: true, behind: ['.ds-logs-1'], stream: undefined }
    const streams: ClusterState = {
      indices: new Map<string, ClusterIndex>([
        ['.ds-logs-1', index],
        ['logs', stream],
      ]),
      groups: new Map([['all-logs', new Set(['logs'])]]),
      pipelines: new Map(),
      templateTypes: [],
    }
    const found = (expression: string) => [...resolveNames(expression.split(','), streams)].sort()
    expect(found('logs')).toEqual(['.ds-logs-1', 'logs'])
    expect(found('all-logs')).toEqual(['.ds-logs-1', 'logs'])
    expect(found('.ds-logs-1')).toEqual(['.ds-logs-1', 'logs'])
    expect(found('lo*,-logs')).toEqual(['.ds-logs-1', 'logs'])
    expect(found('lo*,-l*')).toEqual(['.ds-logs-1', 'logs'])
  })

  it('never misses what a plain reading finds', () => {
    const letters = fc.constantFrom('a', 'b', 'ab', 'ba')
    const patterns = fc.constantFrom('a*', '*b', '*', '-a*', '-b', 'a', 'ab', 'x', '-*b', 'a*b', '_all')
    fc.assert(
      fc.property(
        fc.dictionary(letters, fc.array(fc.constantFrom('x', 'ax'), { maxLength: 2 })),
        fc.array(patterns, { minLength: 1, maxLength: 4 }),
        (indices, expressions) => {
          const resolved = resolveNames(expressions, stateOf(indices))
          for (const name of naive(expressions, indices)) expect([...resolved]).toContain(name)
        },
      ),
    )
  })
})

/** The cluster's own reading: one expression after the other, exclusions once there was a pattern. */
function naive(expressions: readonly string[], indices: Readonly<Record<string, readonly string[]>>): Set<string> {
  const found = new Set<string>()
  let sawPattern = false
  for (const given of expressions) {
    const isExclusion = sawPattern && given.startsWith('-')
    const text = isExclusion ? given.slice(1) : given
    const regex = new RegExp(`^${text === '_all' ? '.*' : text.replaceAll('*', '.*')}$`)
    for (const [name, aliases] of Object.entries(indices)) {
      const matches = regex.test(name) || (!isExclusion && aliases.some((alias) => regex.test(alias)))
      if (matches) isExclusion ? found.delete(name) : found.add(name)
    }
    if (text.includes('*') || text === '_all') sawPattern = true
  }
  return found
}

function stateOf(aliasesByIndex: Readonly<Record<string, readonly string[]>>): ClusterState {
  const groups = new Map<string, Set<string>>()
  for (const [index, aliases] of Object.entries(aliasesByIndex)) {
    for (const alias of aliases) groups.set(alias, (groups.get(alias) ?? new Set()).add(index))
  }
  const indices = Object.entries(aliasesByIndex).map(
    ([name, aliases]) =>
      [
        name,
        {
          aliases,
          isHidden: name.startsWith('.'),
          isStream: false,
          behind: [],
          stream: undefined,
          pipelines: [],
          searchPipeline: undefined,
          type: undefined,
        },
      ] as const,
  )
  return { indices: new Map(indices), groups, pipelines: new Map(), templateTypes: [] }
}
