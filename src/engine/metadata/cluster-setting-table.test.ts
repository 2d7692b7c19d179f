import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EngineVersion } from '../engine-version.ts'
import { clusterSettingNames, defaultClusterSettings, validateClusterSettings } from './cluster-settings.ts'

const RECORDED: readonly (readonly [EngineVersion, string])[] = [
  ['Elasticsearch_6.8', 'elasticsearch-6.8'],
  ['Elasticsearch_7.10', 'elasticsearch-7.10'],
  ['OpenSearch_2.19', 'opensearch-2.19'],
]

describe.each(RECORDED)('the settings of a cluster of %s', (version, file) => {
  const url = new URL(`../../../test/vectors/cluster-settings/${file}.json`, import.meta.url)
  const recorded = JSON.parse(readFileSync(url, 'utf8')) as Record<string, string | string[]>

  it('are those that the real server lists', () => {
    expect(clusterSettingNames(version).sort()).toEqual(Object.keys(recorded).sort())
  })
  it('have its defaults, where these are not of its machine', () => {
    const told = Object.entries(recorded).filter(([, value]) => value !== '*')
    expect(defaultClusterSettings(version)).toEqual(Object.fromEntries(told))
  })
  it('take their own defaults, or say that they never change', () => {
    for (const [name, value] of Object.entries(defaultClusterSettings(version))) {
      try {
        validateClusterSettings({ [name]: value }, 'persistent', version)
      } catch (error) {
        expect((error as { reason?: string }).reason).toMatch(/not dynamically updateable|not updateable/)
      }
    }
  })
})
