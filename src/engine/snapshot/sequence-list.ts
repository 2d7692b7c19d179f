/**
 * Ascending sequence numbers as text: the distance of each from the one before, less one, as variable-length integers
 * (7 bits a byte, lowest first, the high bit says that more follow) in Base64.
 */
export function encodeSequenceList(seqNos: readonly number[]): string {
  const bytes: number[] = []
  let before = -1
  for (const seqNo of seqNos) {
    let distance = seqNo - before - 1
    before = seqNo
    while (distance >= 0x80) {
      bytes.push((distance % 0x80) | 0x80)
      distance = Math.floor(distance / 0x80)
    }
    bytes.push(distance)
  }
  return Buffer.from(bytes).toString('base64')
}

/** Reads {@link encodeSequenceList}'s text. */
export function decodeSequenceList(text: string): Set<number> {
  const seqNos = new Set<number>()
  let before = -1
  let distance = 0
  let unit = 1
  for (const byte of Buffer.from(text, 'base64')) {
    distance += (byte & 0x7f) * unit
    if (byte >= 0x80) {
      unit *= 0x80
      continue
    }
    before += distance + 1
    seqNos.add(before)
    distance = 0
    unit = 1
  }
  return seqNos
}
