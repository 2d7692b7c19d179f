import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFiles } from './file-locks.ts'

it.runIf(process.platform === 'linux')('gives a file to one, by whatever path, and then to the next', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-locks-'))
  symlinkSync(folder, `${folder}.link`)
  const release = await lockFiles([join(folder, 'a'), join(folder, 'b')])
  await expect(lockFiles([join(folder, 'c'), join(`${folder}.link`, 'b')])).rejects.toThrow(
    'another transfer is writing',
  )
  // What could be had beside is let go.
  ;(await lockFiles([join(folder, 'c')]))()
  release()
  ;(await lockFiles([join(folder, 'b')]))()
  rmSync(`${folder}.link`)
  rmSync(folder, { recursive: true })
})
