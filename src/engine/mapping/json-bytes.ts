import { JsonNumber } from './lossless-json.ts'

/** A value handed on as JSON in UTF-8, for the feature that reads it. */
export function jsonBytes(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? Number(member) : member instanceof JsonNumber ? member.value : member,
  )
  return Buffer.from(text)
}
