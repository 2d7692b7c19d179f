import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SegmentFiles } from './segment-files.ts'

it('removes what it can of what is not its own, and stumbles over nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-segments-'))
  const files = new SegmentFiles(folder)
  // What `rm` does without being told to remove folders too: nothing.
  mkdirSync(join(folder, '_0'))
  for (const name of ['_1.seg', '_2.seg', '_3.seg.1.new']) writeFileSync(join(folder, name), '')
  expect(files.keepOnly(new Set(['_2']))).toEqual([join(folder, '_1.seg')])
  expect(readdirSync(folder).sort()).toEqual(['_0', '_2.seg'])
  rmSync(folder, { recursive: true })
})
