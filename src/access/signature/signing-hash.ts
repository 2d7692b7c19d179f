/** The two functions signing needs; a browser's answer promises (`webCryptoHash`), Node's answer at once (`nodeHash`). */
export interface SigningHash {
  /** SHA-256 in lower-case hexadecimal. */
  sha256Hex(data: Uint8Array | string): string | Promise<string>
  hmacSha256(key: Uint8Array | string, data: string): Uint8Array | Promise<Uint8Array>
}
