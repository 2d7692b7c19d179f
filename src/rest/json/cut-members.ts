import { scanMembers } from './scan-members.ts'

/**
 * An object's text with no other members than those that are wanted, as they were written; all of it where that cannot be told
 * without parsing it. (To parse a source whole for two of its members cost four times as much: bench/SEARCH.md.)
 *
 * @param source  valid JSON
 */
export function cutMembers(source: Buffer, isWanted: (name: string) => boolean): string {
  let text = ''
  const isScanned = scanMembers(source, (nameStart, nameEnd, _start, end) => {
    if (!isWanted(source.toString('utf8', nameStart, nameEnd))) return
    text += `${text === '' ? '{' : ','}${source.toString('utf8', nameStart - 1, end)}`
  })
  if (!isScanned) return source.toString('utf8')
  return text === '' ? '{}' : `${text}}`
}
