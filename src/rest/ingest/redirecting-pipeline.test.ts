import { describe, expect, it } from 'vitest'
import { mayRedirect, runs } from './redirecting-pipeline.ts'

describe('mayRedirect', () => {
  it.each([
    [{ processors: [] }],
    [{ processors: [{ set: { field: 'a', value: 1 } }, { remove: { field: 'b', if: 'ctx.a == 1' } }] }],
    [{ processors: [{ rename: { field: 'a', target_field: 'b', on_failure: [{ set: { field: 'e', value: 1 } }] } }] }],
  ])('trusts what writes where it says: %j', (definition) => {
    expect(mayRedirect(definition)).toBe(false)
  })

  it.each([
    [{ processors: [{ set: { field: '_index', value: 'x' } }] }],
    [{ processors: [{ rename: { field: 'a', target_field: '_index' } }] }],
    [{ processors: [{ set: { field: '{{name}}', value: 'x' } }] }],
    [{ processors: [{ script: { source: 'x' } }] }],
    [{ processors: [{ date_index_name: { field: 'd' } }] }],
    [{ processors: [{ json: { field: 'a', add_to_root: true } }] }],
    [{ processors: [{ kv: { field: 'a' } }] }],
    [{ processors: [{ pipeline: { name: 'x' } }] }],
    [{ processors: [{ foreach: { field: 'a', processor: { set: { field: 'b', value: 1 } } } }] }],
    [{ processors: [{ fail: { message: 'x', on_failure: [{ set: { field: '_index', value: 'x' } }] } }] }],
    [{ processors: [], on_failure: [{ set: { field: '_index', value: 'x' } }] }],
    [{ processors: 'x' }],
    [{ processors: [null] }],
  ])('does not trust %j', (definition) => {
    expect(mayRedirect(definition)).toBe(true)
  })
})

describe('runs', () => {
  const definition = {
    processors: [{ set: { field: 'a', value: 'other' } }, { script: { id: 5 } }],
    on_failure: [{ foreach: { field: 'a', processor: { pipeline: { name: 'next', on_failure: [] } } } }],
  }
  it.each([
    ['id', '5', true],
    ['id', 'next', false],
    ['name', 'next', true],
    ['name', 'other', false],
  ] as const)('finds by %s what is called %s: %s', (member, name, expected) => {
    expect(runs(definition, member, name)).toBe(expected)
  })

  it('takes a template for any name', () => {
    expect(runs({ processors: [{ pipeline: { name: 'of-{{kind}}' } }] }, 'name', 'x')).toBe(true)
  })
})
