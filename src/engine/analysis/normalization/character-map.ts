/**
 * A function that replaces characters by others.
 *
 * @param from  single UTF-16 units
 * @param to    their replacements, one for each; `-` deletes
 */
export function characterMap(from: string, to: string): (term: string) => string {
  const map = new Map<number, string>()
  for (let i = 0; i < from.length; i++) map.set(from.charCodeAt(i), to[i] === '-' ? '' : (to[i] as string))
  return (term) => {
    let out: string | undefined
    for (let i = 0; i < term.length; i++) {
      const replacement = map.get(term.charCodeAt(i))
      if (replacement === undefined) {
        if (out !== undefined) out += term[i]
      } else out = (out ?? term.slice(0, i)) + replacement
    }
    return out ?? term
  }
}
