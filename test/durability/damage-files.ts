import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'

const PAGE_BYTES = 4_096

/** The files of a data directory, as paths below it, in order. */
export function filesOf(folder: string, below = folder): string[] {
  return readdirSync(below, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name)
      if (entry.isDirectory()) return filesOf(folder, path)
      return lstatSync(path).isSocket() ? [] : [relative(folder, path)]
    })
}

/**
 * Damages one file of a data directory at random; answers which and how.
 *
 * @param files  those to choose from
 * @param older  the same directory at an earlier time
 */
export function damageFile(folder: string, files: readonly string[], older: string, random: () => number): string {
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const kindOf = (file: string) => file.replace(/.*[./]/, '').replace(/\d+$/, '')
  const kind = pick([...new Set(files.map(kindOf))])
  const file = pick(files.filter((one) => kindOf(one) === kind))
  const path = join(folder, file)
  const bytes = readFileSync(path)
  const at = below(bytes.length)
  const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES
  const damages: Record<string, () => void> = {
    'a bit flipped': () => {
      bytes[at] = (bytes[at] as number) ^ (1 << below(8))
      writeFileSync(path, bytes)
    },
    'some bytes random': () => {
      for (let i = at; i < Math.min(bytes.length, at + 1 + below(64)); i++) bytes[i] = below(256)
      writeFileSync(path, bytes)
    },
    'a page zero': () => writeFileSync(path, bytes.fill(0, page, Math.min(page + PAGE_BYTES, bytes.length))),
    'a page from elsewhere': () => {
      const from = below(Math.ceil(bytes.length / PAGE_BYTES)) * PAGE_BYTES
      bytes.copy(bytes, page, from, from + PAGE_BYTES)
      writeFileSync(path, bytes)
    },
    'cut short': () => truncateSync(path, at),
    empty: () => truncateSync(path, 0),
    gone: () => rmSync(path),
    longer: () => writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(1 + below(10_000), below(2) * 0x5a)])),
    'as it was earlier': () => {
      if (existsSync(join(older, file))) copyFileSync(join(older, file), path)
      else rmSync(path)
    },
    'another of its kind': () => {
      const others = files.filter((other) => other !== file && kindOf(other) === kind)
      copyFileSync(join(folder, others.length > 0 ? pick(others) : file), path)
    },
  }
  const damage = pick(Object.keys(damages))
  damages[damage]?.()
  return `${file} ${damage} at ${at}`
}
