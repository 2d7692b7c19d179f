import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LogDestination } from './log-destination.ts'

const folder = mkdtempSync(join(tmpdir(), 'chaja-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function opened(name: string): { readonly file: number; readonly text: () => string } {
  const path = join(folder, name)
  return { file: openSync(path, 'w'), text: () => readFileSync(path, 'utf8') }
}

describe('where the log goes', () => {
  it('has each line at once, or those of a buffer some time later', async () => {
    const { file, text } = opened('plain')
    const plain = new LogDestination(file, false)
    plain.write('한 줄\n')
    expect(text()).toBe('한 줄\n')
    const buffered = opened('buffered')
    const log = new LogDestination(buffered.file, true)
    for (let n = 0; n < 100; n++) log.write(`${n}\n`)
    expect(buffered.text()).toBe('')
    await expect.poll(buffered.text).toBe(Array.from({ length: 100 }, (_, n) => `${n}\n`).join(''))
    for (let n = 0; n < 10_000; n++) log.write('a line\n')
    log.write('the last\n')
    await expect.poll(buffered.text).toMatch(/(a line\n){10000}the last\n$/)
    closeSync(file)
    closeSync(buffered.file)
  })

  it.skipIf(process.platform !== 'linux').each([false, true])(
    'takes what cannot be written, keeps some of it and ends as ever (buffered: %s)',
    async (isBuffered) => {
      const full = openSync('/dev/full', 'w')
      const log = new LogDestination(full, isBuffered)
      for (let n = 0; n < 3_000; n++) log.write(`${'x'.repeat(1_000)}\n`)
      await new Promise((resolve) => setTimeout(resolve, 700))
      log.flushSync()
      closeSync(full)
      // The number of a file that is closed is given to the next: it is as if there was space.
      const { file, text } = opened(`again-${isBuffered}`)
      expect(file).toBe(full)
      log.write('later\n')
      await expect.poll(text).toMatch(/^(x{1000}\n)+/)
      await expect.poll(() => text().length).toBeGreaterThan(1_000_000)
      expect(text().length).toBeLessThan(3_000_000)
      log.write('and on\n')
      await expect.poll(text).toMatch(/and on\n$/)
      closeSync(file)
    },
  )
})
