import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { aggregationInfo } from './aggregation-info.ts'

// As GET /_nodes/aggregations of Elasticsearch 7.10.2 and OpenSearch 2.19.3 with their modules tells.
describe('aggregationInfo', () => {
  const info = (version: keyof typeof DIALECTS) => aggregationInfo(DIALECTS[version])

  it('tells of what a version has', () => {
    expect(info('Elasticsearch_7.10')).not.toHaveProperty('multi_terms')
    expect(info('OpenSearch_2.19')).toMatchObject({
      multi_terms: { types: ['boolean', 'bytes', 'date', 'ip', 'numeric', 'other'] },
      matrix_stats: { types: ['other'] },
      variable_width_histogram: { types: ['numeric'] },
    })
  })

  it('takes shapes in OpenSearch alone', () => {
    const any = ['boolean', 'bytes', 'date', 'geopoint', 'ip', 'numeric', 'range']
    for (const name of ['cardinality', 'missing', 'value_count']) {
      expect(info('Elasticsearch_7.10')).toHaveProperty(name, { types: any })
      expect(info('OpenSearch_2.19')).toHaveProperty(name, { types: [...any, 'geo_shape'].sort() })
    }
    for (const name of ['geo_bounds', 'geohash_grid', 'geotile_grid'])
      expect(info('OpenSearch_2.19')).toHaveProperty(name, { types: ['geo_shape', 'geopoint'] })
    expect(info('OpenSearch_2.19')).toHaveProperty('geo_centroid', { types: ['geopoint'] })
  })
})
