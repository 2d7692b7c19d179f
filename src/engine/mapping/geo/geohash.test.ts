import { expect, it } from 'vitest'
import { ServiceError } from '../../../errors.ts'
import { geohashCell } from './geohash.ts'

it('looks at twelve letters of a geohash, and names it as a whole where one of them is none', () => {
  expect(geohashCell('gcpvj0duqwer!')).toEqual(geohashCell('gcpvj0duqwer'))
  expect(() => geohashCell('POINT (127 51.5)')).toThrow(ServiceError)
  expect(() => geohashCell('POINT (127 51.5)')).toThrow('unsupported symbol [P] in geohash [POINT (127 51.5)]')
})
