import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'

it('tells the share of all shards that are active where some of those asked for are not', async () => {
  const rest = await openRest('OpenSearch_2.19')
  try {
    const settings = (replicas: number) => ({ settings: { number_of_shards: 1, number_of_replicas: replicas } })
    await rest.ask('PUT', '/whole', settings(0))
    await rest.ask('PUT', '/waiting', settings(9))
    const shareOf = async (path: string): Promise<number> => {
      const health: { active_shards_percent_as_number: number } = (await rest.ask('GET', path)).json
      return health.active_shards_percent_as_number
    }
    expect(await shareOf('/_cluster/health/whole')).toBe(100)
    // Two of eleven.
    expect(await shareOf('/_cluster/health/waiting')).toBe((2 / 11) * 100)
    expect(await shareOf('/_cluster/health')).toBe((2 / 11) * 100)
  } finally {
    await rest.close()
  }
})
