/** Tells names that fit a pattern, in which `*` stands for any characters. */
export function wildcard(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*')
  const first = parts[0] as string
  if (parts.length === 1) return (name) => name === first
  const last = parts.at(-1) as string
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
    let at = first.length
    for (const part of parts.slice(1, -1)) {
      at = name.indexOf(part, at)
      if (at < 0) return false
      at += part.length
    }
    return at <= name.length - last.length
  }
}
