import { afterAll, describe, expect, it } from 'vitest'
import { removeDataDir, startDomain } from '../../scripts/domain-process.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) removeDataDir(folder)
})

describe('a data directory', () => {
  it('is refused to a second process, which says so and exits with 1, and free again after a kill', async () => {
    const first = await startDomain()
    folders.push(first.dataDir)
    await expect(startDomain({ dataDir: first.dataDir })).rejects.toThrow(
      new RegExp(`exited with 1 [^]*the data directory ${first.dataDir} is open in another chaja process`),
    )
    expect((await fetch(first.url)).status).toBe(200)
    await first.stop('SIGKILL')
    const next = await startDomain({ dataDir: first.dataDir })
    expect(await next.stop()).toBe(0)
  })
})
