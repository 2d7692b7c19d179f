/** Bytes as a text, a character each: such texts are equal, and stand in order, as the bytes do. */
export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
