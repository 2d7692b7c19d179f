import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mainPath } from '../../scripts/domain-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-files-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts a domain whose files cannot grow beyond so many bytes. */
async function startLimited(bytes: number) {
  const limited = `trap '' XFSZ; ulimit -f ${bytes / 512}; exec "$@"`
  const command = [process.execPath, mainPath, 'serve', '--data', dataDir, '--port', '0', '--http', '--open']
  const child = spawn('/bin/sh', ['-c', limited, 'sh', ...command], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      const found = /listening on (\S+)/.exec(out)?.[1]
      if (found !== undefined) resolve(found)
    })
    void exited.then((code) => reject(new Error(`exited with ${code}`)))
  })
  return { url, stop: (signal: NodeJS.Signals) => child.kill(signal) && exited }
}

/** What cannot be compressed, and is not indexed: only the store has much to do. */
const bulk = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const source = JSON.stringify({ bytes: randomBytes(3_000).toString('base64') })
    return `{"index":{"_id":"${from + i}"}}\n${source}\n`
  }).join('')

describe('a domain whose files take no more', () => {
  it('refuses writes and goes on reading; what it acknowledged is there for the next start', {
    timeout: 600_000,
  }, async () => {
    const limited = await startLimited(4 * 2 ** 20)
    const put = { method: 'PUT', headers: { 'content-type': 'application/json' } }
    const mappings = { _doc: { properties: { bytes: { type: 'binary' } } } }
    await fetch(`${limited.url}/i`, { ...put, body: JSON.stringify({ mappings }) })
    let acknowledged = 0
    let refused = 0
    for (let from = 0; from < 4_000 && refused < 3; from += 200) {
      const response = await fetch(`${limited.url}/i/_doc/_bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: bulk(from, 200),
      })
      const text = await response.text()
      if (response.status === 200 && text.includes('"errors":false')) acknowledged += 200
      else {
        expect(text).toContain('cluster_block_exception')
        refused++
      }
    }
    expect(refused).toBe(3)
    expect(acknowledged).toBeGreaterThan(200)
    const count = async (url: string) => {
      await fetch(`${url}/i/_refresh`, { method: 'POST' })
      return ((await (await fetch(`${url}/i/_count`)).json()) as { count: number }).count
    }
    // Of what was refused a part may have been written before.
    const shown = await count(limited.url)
    expect(shown).toBeGreaterThanOrEqual(acknowledged)
    await limited.stop('SIGKILL')
    const next = await startLimited(2 ** 30)
    expect(await count(next.url)).toBe(shown)
    expect(await next.stop('SIGTERM')).toBe(0)
  })
})
