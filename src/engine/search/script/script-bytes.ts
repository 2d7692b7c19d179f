import { ScriptObject } from '../../script/values/script-object.ts'

/** Bytes of a binary field as scripts see them (Lucene's BytesRef). */
export class ScriptBytes extends ScriptObject {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }

  get className(): string {
    return 'org.apache.lucene.util.BytesRef'
  }

  override toText(): string {
    return `[${Array.from(this.bytes, (byte) => byte.toString(16)).join(' ')}]`
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptBytes && Buffer.compare(other.bytes, this.bytes) === 0
  }

  override key(): unknown {
    return `\0B${this.toText()}`
  }
}
