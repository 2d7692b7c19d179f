import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openRest } from '../test/open-rest.ts'
import { Throttle } from './rest/by-query/throttle.ts'
import { ended } from './rest/endpoints/tasks-list.ts'

/** Whether it settles, or fails, soon. */
const isOver = (wait: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    wait.then(
      () => true,
      () => true,
    ),
    sleep(200, false),
  ])

it('refreshes an index that is to be refreshed after a month neither now nor all the time', async () => {
  const rest = await openRest('OpenSearch_2.19')
  await rest.ask('PUT', '/a', { settings: { refresh_interval: '30d' } })
  await rest.ask('PUT', '/a/_doc/1', {})
  await sleep(200)
  expect((await rest.ask('GET', '/a/_count')).json).toMatchObject({ count: 0 })
  await rest.close()
})

it('does not go on at once where more is to be waited than a timer takes', async () => {
  const throttle = new Throttle(1e-6)
  expect(await isOver(throttle.afterBatch(1_000, 0))).toBe(false)
  throttle.rethrottle(2e-6)
  expect(throttle.untilMs).toBeGreaterThan(2 ** 31)
  throttle.stop()
})

it('waits for tasks however long', async () => {
  let end = () => {}
  const task = { end: new Promise<void>((resolve) => (end = resolve)) }
  const waiting = ended([task as never], 2 ** 40)
  expect(await isOver(waiting)).toBe(false)
  end()
  await waiting
})
