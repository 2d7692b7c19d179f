import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'

it('tells of a recovery that it took some time', async () => {
  const rest = await openRest('OpenSearch_2.19')
  await rest.ask('PUT', '/movies')
  const { json } = await rest.ask('GET', '/movies/_recovery')
  const recovery: { movies: { shards: [Record<string, number>] } } = json
  const {
    start_time_in_millis: start,
    stop_time_in_millis: stop,
    total_time_in_millis: took,
  } = recovery.movies.shards[0]
  expect(took).toBeGreaterThan(0)
  expect(Number(stop) - Number(start)).toBe(took)
  const { json: rows } = await rest.ask('GET', '/_cat/recovery/movies?h=time&time=ms&format=json')
  expect(rows).toEqual([{ time: String(took) }])
  await rest.close()
})
