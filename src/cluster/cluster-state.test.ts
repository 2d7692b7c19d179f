import { describe, expect, it } from 'vitest'
import type { ClusterClient } from './cluster-client.ts'
import { ClusterStateReader } from './cluster-state.ts'

/** A cluster that answers when it is told to. */
class SlowCluster {
  readonly asked: string[] = []
  uuid = 'a'
  #waiting: (() => void)[] = []

  json(_method: string, path: string): Promise<{ status: number; json: unknown }> {
    this.asked.push(path.includes('metadata') ? 'metadata' : 'version')
    const { uuid } = this
    return new Promise((resolve) => {
      this.#waiting.push(() =>
        resolve({ status: 200, json: { state_uuid: uuid, metadata: { indices: { [`index-${uuid}`]: {} } } } }),
      )
    })
  }

  async answer(): Promise<void> {
    for (const answer of this.#waiting.splice(0)) answer()
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }
}

const settle = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe('ClusterStateReader', () => {
  it('asks once for all who wait, and again for who comes while it asks', async () => {
    const cluster = new SlowCluster()
    const reader = new ClusterStateReader(cluster as unknown as ClusterClient)
    const early = [reader.current(), reader.current()]
    await settle()
    expect(cluster.asked).toEqual(['metadata'])
    cluster.uuid = 'b'
    const late = [reader.current(), reader.current()]
    await settle()
    expect(cluster.asked).toEqual(['metadata'])
    await cluster.answer()
    for (const state of await Promise.all(early)) expect([...state.indices.keys()]).toEqual(['index-a'])
    expect(cluster.asked).toEqual(['metadata', 'version'])
    await cluster.answer()
    await cluster.answer()
    for (const state of await Promise.all(late)) expect([...state.indices.keys()]).toEqual(['index-b'])
    expect(cluster.asked).toEqual(['metadata', 'version', 'metadata'])
  })

  it('reads the state anew only when it has changed', async () => {
    const cluster = new SlowCluster()
    const reader = new ClusterStateReader(cluster as unknown as ClusterClient)
    const first = reader.current()
    await settle()
    await cluster.answer()
    const second = reader.current()
    await settle()
    await cluster.answer()
    expect(await second).toBe(await first)
    expect(cluster.asked).toEqual(['metadata', 'version'])
  })

  it('asks again after a failure', async () => {
    let fails = true
    const client = {
      json: () =>
        fails ? Promise.reject(new Error('gone')) : Promise.resolve({ status: 200, json: { state_uuid: 'a' } }),
    }
    const reader = new ClusterStateReader(client as unknown as ClusterClient)
    await expect(reader.current()).rejects.toThrow('gone')
    fails = false
    expect((await reader.current()).indices.size).toBe(0)
  })
})
