import type { ClassDefinition } from '../../script/script-class.ts'
import { ScriptObject } from '../../script/script-object.ts'
import type { ScriptValue } from '../../script/script-value.ts'

/** placeholder until java.time is here */
export class ScriptDate extends ScriptObject {
  readonly millis: number
  constructor(millis: number) {
    super()
    this.millis = millis
  }
  get className(): string {
    return 'org.elasticsearch.script.JodaCompatibleZonedDateTime'
  }
  override get isJsonText(): boolean {
    return true
  }
  override toText(): string {
    return new Date(this.millis).toISOString()
  }
}
export const scriptDate = (millis: number): ScriptValue => new ScriptDate(millis)
export const scriptDateOfNanos = (nanos: bigint): ScriptValue => new ScriptDate(Number(nanos / 1_000_000n))
export const DATE_CLASSES: readonly ClassDefinition[] = []
