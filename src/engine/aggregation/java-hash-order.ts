/**
 * Different names in the order in which Java's HashMap would list them; answers whose members stand in that order are to be
 * the same here.
 */
export function inHashOrder(names: readonly string[]): string[] {
  let capacity = 16
  while (names.length > capacity * 0.75) capacity *= 2
  return names
    .map((name, index) => ({ name, index, slot: slotOf(name, capacity) }))
    .sort((a, b) => a.slot - b.slot || a.index - b.index)
    .map(({ name }) => name)
}

function slotOf(name: string, capacity: number): number {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 16)) & (capacity - 1)
}
