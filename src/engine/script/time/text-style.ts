import type { ClassDefinition } from '../script-class.ts'
import { ScriptObject } from '../script-object.ts'

/** Java's TextStyle: how long the name of a part of a date is. */
export class ScriptTextStyle extends ScriptObject {
  readonly name: string
  readonly ordinal: number

  constructor(name: string, ordinal: number) {
    super()
    this.name = name
    this.ordinal = ordinal
  }

  get className(): string {
    return 'java.time.format.TextStyle'
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.name
  }

  get width(): 'long' | 'short' | 'narrow' {
    return this.name.startsWith('FULL') ? 'long' : this.name.startsWith('SHORT') ? 'short' : 'narrow'
  }
}

const STYLES = ['FULL', 'FULL_STANDALONE', 'SHORT', 'SHORT_STANDALONE', 'NARROW', 'NARROW_STANDALONE']

export const TEXT_STYLE_CLASS: ClassDefinition = {
  name: 'TextStyle',
  javaName: 'java.time.format.TextStyle',
  methods: {
    'String name()': (self: ScriptTextStyle) => self.name,
    'int ordinal()': (self: ScriptTextStyle) => self.ordinal,
  },
  constants: Object.fromEntries(STYLES.map((name, i) => [`TextStyle ${name}`, new ScriptTextStyle(name, i)])),
}
