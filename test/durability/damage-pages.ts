import { readFileSync, truncateSync, writeFileSync } from 'node:fs'

const PAGE_BYTES = 4_096

/** Damages a store's file as disks do, anywhere behind its first two pages; answers how. */
export function damagePages(path: string, random: () => number): string {
  const bytes = readFileSync(path)
  const pages = bytes.length / PAGE_BYTES
  const anyPage = () => 2 + Math.floor(random() * (pages - 2))
  const page = anyPage()
  const at = page * PAGE_BYTES
  const kind = Math.floor(random() * 6)
  switch (kind) {
    case 0:
      bytes.fill(0, at, at + PAGE_BYTES)
      break
    case 1:
      for (let i = 0; i < PAGE_BYTES; i++) bytes[at + i] = Math.floor(random() * 256)
      break
    case 2: {
      // A write that went elsewhere.
      const from = anyPage() * PAGE_BYTES
      bytes.copy(bytes, at, from, from + PAGE_BYTES)
      break
    }
    case 3: {
      const bit = Math.floor(random() * PAGE_BYTES * 8)
      bytes[at + (bit >>> 3)] = (bytes[at + (bit >>> 3)] as number) ^ (1 << (bit & 7))
      break
    }
    case 4: {
      // Where LMDB finds its way.
      const bit = Math.floor(random() * 64 * 8)
      bytes[at + (bit >>> 3)] = (bytes[at + (bit >>> 3)] as number) ^ (1 << (bit & 7))
      break
    }
    default:
      truncateSync(path, at + Math.floor(random() * PAGE_BYTES))
      return `cut off in page ${page}`
  }
  writeFileSync(path, bytes)
  return `${['zero', 'garbage', 'another', 'a bit', 'a bit of its beginning'][kind]} in page ${page}`
}
