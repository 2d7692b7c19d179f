import { expect, it } from 'vitest'
import { JavaDouble } from '../json/json-writer.ts'
import { withTexts } from './readable.ts'

it('puts texts of times, sizes and moments before them, under their names without units', () => {
  const told = withTexts({ uptime_in_millis: 90_500, a: [{ size_in_bytes: 1536 }], start_time_in_millis: 0, count: 3 })
  expect(JSON.stringify(told)).toBe(
    '{"uptime":"1.5m","uptime_in_millis":90500,"a":[{"size":"1.5kb","size_in_bytes":1536}],"start_time":"1970-01-01T00:00:00.000Z","start_time_in_millis":0,"count":3}',
  )
})

it('keeps texts that are there, and calls some otherwise', () => {
  expect(
    withTexts({
      limit_size: 'much',
      limit_size_in_bytes: 1,
      get: { time_in_millis: 0, exists_total: 0 },
      fixed_bit_set_memory_in_bytes: 0,
      active_shards_percent_as_number: new JavaDouble(57.14),
    }),
  ).toMatchObject({
    limit_size: 'much',
    get: { getTime: '0s' },
    fixed_bit_set: '0b',
    active_shards_percent: '57.1%',
  })
})

it('leaves settings, and what a task used, as they are', () => {
  const json = { refresh_in_millis: '5', resource_stats: { cpu_time_in_nanos: 1 } }
  expect(withTexts(json)).toEqual(json)
})
