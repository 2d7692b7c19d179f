import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import type { Long } from '../algorithms/long.ts'
import type { VersionType } from './document-operation.ts'
import { type CurrentVersion, nextVersion } from './version-check.ts'

const there: CurrentVersion = { seqNo: 7, version: 4, primaryTerm: 1, deleted: false }
const gone: CurrentVersion = { seqNo: 8, version: 5, primaryTerm: 1, deleted: true }

function check(
  operation: {
    kind?: 'index' | 'create' | 'delete'
    version?: Long
    versionType?: VersionType
    ifSeqNo?: number
    ifPrimaryTerm?: number
  },
  current: CurrentVersion | undefined,
  engineVersion: 'Elasticsearch_6.8' | 'OpenSearch_2.19' = 'Elasticsearch_6.8',
): Long | string {
  try {
    return nextVersion({ kind: 'index', type: 't', versionType: 'internal', ...operation }, 'i', current, engineVersion)
  } catch (error) {
    if (error instanceof ServiceError) return `${error.type}: ${error.reason}`
    throw error
  }
}

const conflict = (reason: string) => `version_conflict_engine_exception: [t][i]: version conflict, ${reason}`

describe('the version of a write', () => {
  it('counts on, over deletes too', () => {
    expect(check({}, undefined)).toBe(1)
    expect(check({}, there)).toBe(5)
    expect(check({}, gone)).toBe(6)
    expect(check({ kind: 'delete' }, there)).toBe(5)
  })

  it('lets a create pass only where no document is', () => {
    expect(check({ kind: 'create' }, undefined)).toBe(1)
    expect(check({ kind: 'create' }, gone)).toBe(6)
    expect(check({ kind: 'create' }, there)).toBe(conflict('document already exists (current version [4])'))
    expect(check({ kind: 'create' }, there, 'OpenSearch_2.19')).toBe(
      'version_conflict_engine_exception: [i]: version conflict, document already exists (current version [4])',
    )
  })

  it('compares an internal version with the current one', () => {
    expect(check({ version: 4 }, there)).toBe(5)
    expect(check({ version: 3 }, there)).toBe(conflict('current version [4] is different than the one provided [3]'))
    expect(check({ version: 1 }, undefined)).toBe(
      conflict('current version [-1] is different than the one provided [1]'),
    )
  })

  it('counts and compares beyond 2^53, and after 2^63 from the other end', () => {
    const high = (version: Long) => ({ ...there, version })
    expect(check({}, high(Number.MAX_SAFE_INTEGER))).toBe(9007199254740992n)
    expect(check({}, high(9007199254740992n))).toBe(9007199254740993n)
    expect(check({}, high(2n ** 63n - 1n))).toBe(-(2n ** 63n))
    expect(check({}, high(-(2n ** 53n)))).toBe(-(2 ** 53) + 1)
    expect(check({ version: 9007199254740993n, versionType: 'external' }, high(9007199254740992n))).toBe(
      9007199254740993n,
    )
    expect(check({ version: 9007199254740993n, versionType: 'external' }, high(9007199254740993n))).toBe(
      conflict('current version [9007199254740993] is higher or equal to the one provided [9007199254740993]'),
    )
    expect(check({ version: 9007199254740993n }, high(9007199254740993n))).toBe(9007199254740994n)
  })

  it('takes an external version that is higher, external_gte one that is no lower', () => {
    const external = (version: number, current: CurrentVersion | undefined) =>
      check({ version, versionType: 'external' }, current)
    expect(external(9, there)).toBe(9)
    expect(external(4, there)).toBe(conflict('current version [4] is higher or equal to the one provided [4]'))
    expect(external(5, gone)).toBe(conflict('current version [5] is higher or equal to the one provided [5]'))
    expect(external(3, undefined)).toBe(3)
    expect(check({ version: 4, versionType: 'external_gte' }, there)).toBe(4)
    expect(check({ version: 3, versionType: 'external_gte' }, there)).toBe(
      conflict('current version [4] is higher than the one provided [3]'),
    )
  })

  it('asks for the sequence number and term it was given', () => {
    expect(check({ ifSeqNo: 7, ifPrimaryTerm: 1 }, there)).toBe(5)
    expect(check({ ifSeqNo: 6, ifPrimaryTerm: 1 }, there)).toBe(
      conflict('required seqNo [6], primary term [1]. current document has seqNo [7] and primary term [1]'),
    )
    expect(check({ ifSeqNo: 7, ifPrimaryTerm: 2 }, there)).toBe(
      conflict('required seqNo [7], primary term [2]. current document has seqNo [7] and primary term [1]'),
    )
    expect(check({ ifSeqNo: 7, ifPrimaryTerm: 1 }, undefined)).toBe(
      conflict('required seqNo [7], primary term [1]. but no document was found'),
    )
  })
})
