import { describe, expect, it } from 'vitest'
import { writeJson } from '../json/json-writer.ts'
import { mappingJson } from './mapping-json.ts'

// As Elasticsearch 6.8.23 shows them.
describe('a mapping', () => {
  it('is shown with its floating point numbers as such, wherever they stand', () => {
    const mapping = {
      properties: {
        boost: { type: 'keyword', boost: 2, ignore_above: 10 },
        price: { type: 'scaled_float', scaling_factor: 100 },
        far: { type: 'double', null_value: 10_000_000_000 },
        near: { type: 'float', null_value: 3 },
        count: { type: 'integer', null_value: 5 },
        text: { type: 'text', boost: 0.5, fields: { raw: { type: 'keyword', boost: 3 } } },
      },
    }
    expect(writeJson(mappingJson(mapping))).toBe(
      '{"properties":{"boost":{"type":"keyword","boost":2.0,"ignore_above":10},' +
        '"price":{"type":"scaled_float","scaling_factor":100.0},' +
        '"far":{"type":"double","null_value":1.0E10},"near":{"type":"float","null_value":3.0},' +
        '"count":{"type":"integer","null_value":5},' +
        '"text":{"type":"text","boost":0.5,"fields":{"raw":{"type":"keyword","boost":3.0}}}}}',
    )
  })

  it('is shown with what its templates say as it was given', () => {
    const template = { match: 'p_*', mapping: { type: 'scaled_float', scaling_factor: 100, boost: 2 } }
    expect(writeJson(mappingJson({ dynamic_templates: [{ prices: template }] }))).toBe(
      '{"dynamic_templates":[{"prices":{"match":"p_*","mapping":{"type":"scaled_float","scaling_factor":100,"boost":2}}}]}',
    )
  })
})
