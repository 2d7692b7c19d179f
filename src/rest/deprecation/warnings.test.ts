import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { DeprecationLog, Warnings } from './warnings.ts'

const seven = new DeprecationLog(DIALECTS['Elasticsearch_7.10'])
const AGENT = '299 Elasticsearch-7.10.2-747e1cc71def077253878a59143c1f785afa92b9'

describe('warnings of a request', () => {
  it('are none where nothing deprecated is used, or nothing that the version minds', () => {
    const warnings = new Warnings(seven, undefined)
    expect(warnings.headers).toBeUndefined()
    warnings.note('default_shards')
    expect(warnings.headers).toBeUndefined()
  })

  it('are told once each, with every request', () => {
    for (const opaqueId of ['a', 'a']) {
      const warnings = new Warnings(seven, opaqueId)
      warnings.note('typed_search')
      warnings.note('typed_search')
      warnings.note('order_key', '_term')
      warnings.note('order_key', '_time')
      expect(warnings.headers).toEqual([
        `${AGENT} "[types removal] Specifying types in search requests is deprecated."`,
        `${AGENT} "Deprecated aggregation order key [_term] used, replaced by [_key]"`,
        `${AGENT} "Deprecated aggregation order key [_time] used, replaced by [_key]"`,
      ])
    }
  })

  it('are told a caller of OpenSearch once', () => {
    const log = new DeprecationLog(DIALECTS['OpenSearch_2.19'])
    const told = (opaqueId: string | undefined): boolean => {
      const warnings = new Warnings(log, opaqueId)
      warnings.note('date_interval')
      return warnings.headers !== undefined
    }
    expect([undefined, undefined, 'a', 'a', 'b'].map(told)).toEqual([true, false, true, false, true])
  })

  it('are quoted as headers can hold them', () => {
    const warnings = new Warnings(seven, undefined)
    warnings.note('dot_in_name', '.a"b\\c%d한é\t')
    expect(warnings.headers?.[0]).toContain(' "index name [.a\\"b\\\\c%25d%ED%95%9Cé\t] starts with a dot')
  })
})
