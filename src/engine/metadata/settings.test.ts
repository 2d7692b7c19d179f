import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import { applyTemplates } from './apply-templates.ts'
import { checkClusterSettings, validateClusterSettings } from './cluster-settings.ts'
import { createIndexSettings } from './create-index-settings.ts'
import { flattenIndexSettings, flattenSettings, nestSettings } from './flatten-settings.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { defaultIndexSettings, mergeSettings, validateIndexSettings, validateSettingsUpdate } from './index-settings.ts'

// Expectations are what Elasticsearch 6.8.23 answered.

function fault(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    const { type, reason, detail } = error as ServiceError
    return `${type}: ${reason}${detail.cause === undefined ? '' : ` < ${detail.cause.type}: ${detail.cause.reason}`}`
  }
  return 'fine'
}

const check = (settings: Record<string, unknown>, version: EngineVersion = 'Elasticsearch_6.8'): string =>
  fault(() => validateIndexSettings(flattenIndexSettings(settings), version))

describe('index settings', () => {
  it('are refused in the words of 6.8', () => {
    const illegal = 'illegal_argument_exception: '
    expect(check({ number_of_shards: 0 })).toBe(
      `${illegal}Failed to parse value [0] for setting [index.number_of_shards] must be >= 1`,
    )
    expect(check({ number_of_shards: 1025 })).toBe(
      `${illegal}Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024`,
    )
    expect(check({ number_of_shards: 'x' })).toBe(
      `${illegal}Failed to parse value [x] for setting [index.number_of_shards] < number_format_exception: For input string: "x"`,
    )
    expect(check({ number_of_shards: 1.5 })).toContain('Failed to parse value [1.5]')
    expect(check({ number_of_shards: null })).toBe('fine')
    expect(check({ foo: 1 })).toBe(
      `${illegal}unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
    )
    expect(check({ index: { number_of_replica: 1 } })).toBe(
      `${illegal}unknown setting [index.number_of_replica] did you mean [index.number_of_replicas]?`,
    )
    expect(check({ final_pipeline: 'p' })).toBe(
      `${illegal}unknown setting [index.final_pipeline] did you mean [index.default_pipeline]?`,
    )
    for (const value of ['x', '1']) {
      expect(check({ refresh_interval: value })).toBe(
        `${illegal}failed to parse setting [index.refresh_interval] with value [${value}] as a time value: unit is missing or unrecognized`,
      )
    }
    expect(check({ refresh_interval: '-2s' })).toBe(
      `${illegal}failed to parse setting [index.refresh_interval] with value [-2s] as a time value: negative durations are not supported`,
    )
    expect(check({ 'blocks.write': 'yes' })).toBe(
      `${illegal}Failed to parse value [yes] as only [true] or [false] are allowed.`,
    )
    expect(check({ codec: 'foo' })).toBe(
      `${illegal}unknown value for [index.codec] must be one of [default, best_compression] but was: foo`,
    )
    expect(check({ 'translog.sync_interval': '1ms' })).toBe(
      `${illegal}failed to parse value [1ms] for setting [index.translog.sync_interval], must be >= [100ms]`,
    )
    expect(check({ 'merge.policy.max_merged_segment': 'x' })).toContain(
      'as a size in bytes: unit is missing or unrecognized < parse_exception',
    )
    expect(check({ 'merge.policy.deletes_pct_allowed': '7' })).toContain('must be >= 20.0')
    expect(check({ uuid: 'x' })).toContain('unknown setting [index.uuid] please check')
    expect(check({ 'version.created': 1 })).toBe(
      'validation_exception: Validation Failed: 1: private index setting [index.version.created] can not be set explicitly;',
    )
    expect(check({ hidden: true })).toContain('unknown setting [index.hidden]')
    expect(check({ hidden: true }, 'OpenSearch_2.19')).toBe('fine')
  })

  it('are taken where 6.8 takes them', () => {
    expect(
      check({
        refresh_interval: -1,
        'mapping.total_fields.limit': 0,
        'analysis.foo': 1,
        'analysis.analyzer.a.tokenizer': 'standard',
        'query.default_field': ['a', 'b'],
        auto_expand_replicas: '0-all',
        'routing.allocation.include.zone': 'x',
        'search.slowlog.threshold.query.warn': '10s',
        'store.type': 'niofs',
      }),
    ).toBe('fine')
  })

  it('come with defaults and an identity', () => {
    const identity = { name: 'x', uuid: 'u', creationDate: 5 }
    expect(createIndexSettings({}, { ...identity, engineVersion: 'Elasticsearch_6.8' })).toEqual({
      'index.number_of_shards': '5',
      'index.number_of_replicas': '1',
      'index.uuid': 'u',
      'index.creation_date': '5',
      'index.provided_name': 'x',
      'index.version.created': '6082399',
    })
    const modern = createIndexSettings(
      { 'index.number_of_replicas': '0' },
      { ...identity, engineVersion: 'OpenSearch_2.19' },
    )
    expect(modern).toMatchObject({
      'index.number_of_shards': '1',
      'index.number_of_replicas': '0',
      'index.version.created': '136408127',
    })
    expect(
      fault(() =>
        createIndexSettings(
          { 'index.write.wait_for_active_shards': '5' },
          { ...identity, engineVersion: 'Elasticsearch_6.8' },
        ),
      ),
    ).toBe(
      'illegal_argument_exception: invalid index.write.wait_for_active_shards[5]: cannot be greater than number of shard copies [2]',
    )
    expect(defaultIndexSettings(modern, 'OpenSearch_2.19')['index.refresh_interval']).toBe('1s')
  })
})

describe('updates of index settings', () => {
  const index = (name: string, state: 'open' | 'close' = 'open'): IndexMetadata => ({
    name,
    uuid: `u${name}`,
    creationDate: 0,
    settings: { 'index.refresh_interval': '5s', 'index.blocks.write': 'true', 'index.version.created': '6082399' },
    mappings: {},
    aliases: {},
    state,
  })
  it('cannot change what is static while the index is open, nor what is final ever', () => {
    expect(
      fault(() =>
        validateSettingsUpdate(
          { 'index.number_of_shards': '3', 'index.codec': 'default' },
          [index('a'), index('b')],
          'Elasticsearch_6.8',
        ),
      ),
    ).toBe(
      "illegal_argument_exception: Can't update non dynamic settings [[index.codec, index.number_of_shards]] for open indices [[a/ua], [b/ub]]",
    )
    expect(
      fault(() =>
        validateSettingsUpdate({ 'index.number_of_shards': '3' }, [index('c', 'close')], 'Elasticsearch_6.8'),
      ),
    ).toBe('illegal_argument_exception: final c setting [index.number_of_shards], not updateable')
    expect(
      fault(() =>
        validateSettingsUpdate({ 'index.codec': 'best_compression' }, [index('c', 'close')], 'Elasticsearch_6.8'),
      ),
    ).toBe('fine')
  })
  it('set, reset and preserve', () => {
    const update = (changes: Record<string, string | null>, preserveExisting = false) =>
      mergeSettings(index('a').settings, changes, { preserveExisting })
    expect(update({ 'index.refresh_interval': '6s' })['index.refresh_interval']).toBe('6s')
    expect(update({ 'index.refresh_interval': '6s' }, true)['index.refresh_interval']).toBe('5s')
    expect(update({ 'index.refresh_interval': null })).not.toHaveProperty('index.refresh_interval')
    expect(update({ 'index.blocks.*': null })).not.toHaveProperty('index.blocks.write')
  })
})

describe('cluster settings', () => {
  it('are refused in the words of 6.8', () => {
    const check = (settings: Record<string, string>) => fault(() => validateClusterSettings(settings, 'transient'))
    expect(check({ foo: '1' })).toBe('illegal_argument_exception: transient setting [foo], not recognized')
    expect(check({ 'cluster.name': 'x' })).toBe(
      'illegal_argument_exception: transient setting [cluster.name], not dynamically updateable',
    )
    expect(check({ 'cluster.routing.allocation.enable': 'foo' })).toBe(
      'illegal_argument_exception: Illegal allocation.enable value [FOO]',
    )
    expect(check({ 'search.max_buckets': '-5' })).toBe(
      'illegal_argument_exception: Failed to parse value [-5] for setting [search.max_buckets] must be >= -1',
    )
    expect(fault(() => checkClusterSettings({ 'search.max_keep_alive': '1s' }, 'Elasticsearch_6.8'))).toBe(
      'illegal_argument_exception: Default keep alive setting for scroll [search.default_keep_alive] should be smaller than max keep alive [search.max_keep_alive], was (5m > 1s)',
    )
    expect(check({ 'action.auto_create_index': '+a*, -' })).toBe(
      "illegal_argument_exception: Can't parse [+a*, -] for setting [action.auto_create_index] must contain an index name after [-]",
    )
    expect(check({ 'logger.foo': 'NOPE' })).toBe('illegal_argument_exception: Unknown level constant [NOPE].')
    expect(
      check({ 'logger.foo': 'DEBUG', 'indices.breaker.request.limit': '70%', 'action.auto_create_index': '+a*,-b' }),
    ).toBe('fine')
  })
})

describe('settings that nothing here follows', () => {
  it('are refused, but for their defaults', () => {
    const check = (name: string, value: string, version: EngineVersion) =>
      fault(() => validateClusterSettings({ [name]: value }, 'transient', version))
    expect(check('script.max_size_in_bytes', '65535', 'OpenSearch_2.19')).toBe('fine')
    expect(check('script.max_size_in_bytes', '100000', 'OpenSearch_2.19')).toBe(
      'illegal_argument_exception: transient setting [script.max_size_in_bytes] is not supported with any value but its default [65535]',
    )
    expect(check('xpack.security.http.filter.deny', '10.0.0.1', 'Elasticsearch_6.8')).toContain('is not supported')
    expect(check('xpack.security.http.filter.deny', '10.0.0.1', 'OpenSearch_2.19')).toContain('not recognized')
  })
})

describe('settings in two forms', () => {
  it('are flattened', () => {
    expect(flattenIndexSettings({ index: { a: { b: 1 } }, 'index.c': true, d: ['x', 2], e: null })).toEqual({
      'index.a.b': '1',
      'index.c': 'true',
      'index.d': ['x', '2'],
      'index.e': null,
    })
    expect(fault(() => flattenSettings({ a: [{ b: 1 }] }))).toContain(
      'only value lists are allowed in serialized settings',
    )
  })
  it('survive the way there and back', () => {
    const name = fc
      .string({ unit: fc.constantFrom('a', 'b', 'c', '.'), minLength: 1, maxLength: 6 })
      .filter((text) => !/^\.|\.$|\.\./.test(text))
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ maxLength: 3 })), (settings) => {
        expect(flattenSettings(nestSettings(settings))).toEqual({ ...settings })
      }),
    )
  })
})

describe('templates', () => {
  const template = (name: string, order: number, rest: object) => ({
    name,
    order,
    indexPatterns: ['log*'],
    settings: {},
    mappings: {},
    aliases: {},
    ...rest,
  })
  it('are applied by order, under the request', () => {
    const made = applyTemplates(
      'logs-1',
      {
        settings: { 'index.a': 'request' },
        mappings: { _doc: { properties: { x: { type: 'long' } } } },
        aliases: { mine: { indexRouting: '1' } },
      },
      [
        template('low', 0, {
          settings: { 'index.a': 'low', 'index.b': 'low', 'index.c': 'low' },
          mappings: {
            _doc: {
              dynamic: false,
              properties: { x: { type: 'text', store: true }, y: { type: 'text' } },
              dynamic_templates: [{ t: { match: 'low', unmatch: 'u' } }, { l: {} }],
            },
          },
          aliases: { mine: {}, '{index}-all': {} },
        }),
        template('high', 1, {
          settings: { 'index.b': 'high' },
          mappings: {
            _doc: { properties: { y: { type: 'keyword' } }, dynamic_templates: [{ t: { match: 'high' } }] },
            other: {},
          },
        }),
        template('none', 5, { indexPatterns: ['x*'], settings: { 'index.c': 'none' } }),
      ],
    )
    expect(made).toEqual({
      settings: { 'index.a': 'request', 'index.b': 'high', 'index.c': 'low' },
      mappings: {
        _doc: {
          dynamic: false,
          properties: { x: { type: 'long', store: true }, y: { type: 'keyword' } },
          dynamic_templates: [{ t: { match: 'high', unmatch: 'u' } }, { l: {} }],
        },
        other: {},
      },
      aliases: { mine: { indexRouting: '1' }, 'logs-1-all': {} },
    })
  })
})
