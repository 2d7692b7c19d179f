import { expect, it } from 'vitest'
import type { ServiceError } from '../../errors.ts'
import { checkFieldCount } from './check-mapping.ts'
import type { MappingScope } from './types/parameter.ts'

const mapping = (fields: number) => ({
  properties: Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, { type: 'keyword' }])),
})
const scope = (engineVersion: MappingScope['engineVersion'], limit: string) =>
  ({ engineVersion, settings: { 'index.mapping.total_fields.limit': limit } }) as unknown as MappingScope

it('refuses fields that the heap would not hold, however many the index may have', () => {
  checkFieldCount(mapping(1_000), scope('OpenSearch_2.19', '100000'), 'i', 2_000_000)
  const fault = (version: MappingScope['engineVersion']): ServiceError => {
    try {
      checkFieldCount(mapping(1_001), scope(version, '100000'), 'i', 2_000_000)
    } catch (error) {
      return error as ServiceError
    }
    throw new Error('it was taken')
  }
  expect(fault('OpenSearch_2.19')).toMatchObject({
    type: 'circuit_breaking_exception',
    status: 429,
    reason:
      '[parent] Data too large, data for [<mapping>] would be [2002000/1mb], which is larger than the limit of [2000000/1mb]',
  })
  expect(fault('Elasticsearch_6.8').status).toBe(503)
})
