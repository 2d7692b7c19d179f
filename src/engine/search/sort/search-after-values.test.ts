import { describe, expect, it } from 'vitest'
import { createDateFormat } from '../../mapping/dates/create-date-format.ts'
import { searchAfterValues } from './search-after-values.ts'

const request = (value: string | number) =>
  ({ searchAfter: [value], sort: [{ kind: 'field', field: 'd', order: 'asc', missing: '_last' }] }) as never

function values(value: string | number, engineVersion: 'OpenSearch_2.19' | 'Elasticsearch_6.8'): unknown {
  const format = createDateFormat('yyyy-MM-dd', engineVersion)
  const searcher = { indexName: 'i', mapping: { field: () => ({ kind: 'date', format }) } }
  return searchAfterValues(request(value), searcher as never, engineVersion)?.[0]
}

describe('search_after', () => {
  it('takes a text for a date in the format of its field', () => {
    expect(values('2015-03-09', 'OpenSearch_2.19')).toBe(Date.UTC(2015, 2, 9))
    expect(values(1_425_859_200_000, 'OpenSearch_2.19')).toBe(1_425_859_200_000)
    expect(() => values('xx', 'OpenSearch_2.19')).toThrow(
      'failed to parse date field [xx] with format [yyyy-MM-dd]: [failed to parse date field [xx] with format [yyyy-MM-dd]]',
    )
    expect(() => values('now-1d', 'OpenSearch_2.19')).toThrow('could not read the current timestamp')
  })

  it('wants milliseconds in 6.x', () => {
    expect(values('1425859200000', 'Elasticsearch_6.8')).toBe(1_425_859_200_000)
    expect(() => values('2015-03-09', 'Elasticsearch_6.8')).toThrow('Failed to parse search_after value for field [d].')
  })
})
