import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mainPath, startDomain } from '../../scripts/domain-process.ts'
import { CALLS, compileFailingDisk, type DiskFault, ERRNO, FailingDisk } from './failing-disk.ts'
import { runDiskSoak } from './failing-disk-soak.ts'
import { seededRandom } from './seeded-random.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-failing-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const library = compileFailingDisk(root)
if (library === undefined) console.log('failing disks are not tested: there is no C compiler (cc), or this is no Linux')

const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
/** How each is told. */
const PROBLEMS = {
  EIO: 'the disk fails',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
} as const
const ALL = Object.keys(CALLS) as (keyof typeof CALLS)[]

describe.skipIf(library === undefined)('a disk that fails under a domain', () => {
  it('makes it refuse writes and go on reading, lose nothing, and take writes again when it works', {
    timeout: 600_000,
  }, async () => {
    const rounds = Number(process.env['CHAJA_ROUNDS'] ?? 8)
    const report = await runDiskSoak({ library: library as string, rounds, seed, mild: true })
    expect(report.faults, `seed ${seed}`).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(0)
    expect(report.recovered).toBeGreaterThan(0)
  })

  it('keeps a first start from nothing that a second one needs', { timeout: 600_000 }, async () => {
    const random = seededRandom(seed)
    const faults: string[] = []
    for (let n = 0; n < Number(process.env['CHAJA_CASES'] ?? 6); n++) {
      const dataDir = join(root, `start${n}`)
      const disk = new FailingDisk(library as string, dataDir)
      const errors = Object.keys(ERRNO) as (keyof typeof ERRNO)[]
      const fault: DiskFault = {
        error: errors[Math.floor(random() * errors.length)] as keyof typeof ERRNO,
        // LMDB does not live through it where some of what it begins a file with cannot be written.
        calls: n % 3 === 0 ? ALL : ALL.filter((call) => !/^pwrite|truncate|open/.test(call) && random() < 0.7),
        share: [1000, 300, 100][n % 3] as number,
        part: ['*', 'access', 'tls'][Math.floor(random() * 3)] as string,
      }
      disk.fault = fault
      const command = [mainPath, 'serve', '--data', dataDir, '--port', '0']
      const { status, signal, stderr } = spawnSync(process.execPath, command, {
        env: disk.env,
        encoding: 'utf8',
        timeout: 8_000,
      })
      const note = `case ${n} ${JSON.stringify(fault)}`
      // One that started in spite of it is ended by the time.
      if (signal !== null && signal !== 'SIGTERM') faults.push(`${note} ended by ${signal}: ${stderr.slice(-500)}`)
      const told = stderr.split('\n').find((line) => line.includes('chaja serve: '))
      if (status !== null && status !== 0 && !(told?.includes(dataDir) && told.includes(PROBLEMS[fault.error])))
        faults.push(`${note} does not say what is the matter: ${stderr.slice(-500)}`)
      disk.fault = undefined
      try {
        const domain = await startDomain({ dataDir, secure: true })
        await domain.stop()
        if (!existsSync(join(dataDir, 'access', 'admin.json'))) faults.push(`${note}: the administrator has no key`)
      } catch (error) {
        faults.push(`${note}: it does not start afterwards: ${(error as Error).message}`)
      }
      disk.close()
    }
    expect(faults, `seed ${seed}`).toEqual([])
  })
})
