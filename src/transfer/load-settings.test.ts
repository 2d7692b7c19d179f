import { describe, expect, it } from 'vitest'
import { loadSettings, settingsAfterLoad } from './load-settings.ts'

describe('loadSettings', () => {
  const own = { 'index.number_of_shards': '3', 'index.number_of_replicas': '2', 'index.refresh_interval': '30s' }

  it('takes refreshes and replicas away while an index is filled, and nothing else', () => {
    expect(loadSettings(own)).toEqual({ ...own, 'index.number_of_replicas': '0', 'index.refresh_interval': '-1' })
  })

  it('is undone by what the index is to have', () => {
    expect({ ...loadSettings(own), ...settingsAfterLoad(own) }).toEqual(own)
  })

  it('is undone by the default where the index names none', () => {
    expect(settingsAfterLoad({ 'index.number_of_replicas': '1' })).toHaveProperty(['index.refresh_interval'], null)
  })

  it('leaves replicas alone of which nothing is said: Elasticsearch 6.8 does not go back to its default', () => {
    expect(loadSettings({})).toEqual({ 'index.refresh_interval': '-1' })
    expect(settingsAfterLoad({})).toEqual({ 'index.refresh_interval': null })
  })

  it('leaves replicas alone that the server counts itself', () => {
    const expanding = { 'index.auto_expand_replicas': '0-1' }
    expect(loadSettings(expanding)).toEqual({ ...expanding, 'index.refresh_interval': '-1' })
    expect(settingsAfterLoad(expanding)).toEqual({ 'index.refresh_interval': null })
    expect(loadSettings({ ...own, 'index.auto_expand_replicas': 'false' })).toMatchObject(loadSettings(own))
  })
})
