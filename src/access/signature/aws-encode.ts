const UNRESERVED = /^[A-Za-z0-9\-._~]*$/
const encoder = new TextEncoder()
const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

/** Percent-encodes every UTF-8 byte but `A-Z a-z 0-9 - . _ ~`, in upper-case hexadecimal. @source AWS, UriEncode() */
export function awsEncode(text: string): string {
  if (UNRESERVED.test(text)) return text
  let encoded = ''
  for (const byte of encoder.encode(text)) encoded += ENCODED[byte]
  return encoded
}
