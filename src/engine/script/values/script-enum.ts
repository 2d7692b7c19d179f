import { enumConstant } from './enum-constant.ts'
import { ScriptArray } from './script-array.ts'
import type { ClassDefinition } from './script-class.ts'
import { ScriptObject } from './script-object.ts'

/** A constant of a Java enum, of which nothing is known but its name and place. */
export class ScriptEnum extends ScriptObject {
  readonly className: string
  readonly name: string
  readonly ordinal: number

  constructor(className: string, name: string, ordinal: number) {
    super()
    this.className = className
    this.name = name
    this.ordinal = ordinal
  }

  override get isJsonText(): boolean {
    return true
  }

  override toText(): string {
    return this.name
  }

  override compare(other: unknown): number | undefined {
    return other instanceof ScriptEnum && other.className === this.className ? this.ordinal - other.ordinal : undefined
  }
}

/** The constants of an enum, in their order. @param names  with spaces between */
export function enumConstants(javaName: string, names: string): readonly ScriptEnum[] {
  return names.split(' ').map((name, i) => new ScriptEnum(javaName, name, i))
}

/** What scripts may do with an enum's constants. @param methods  besides those of all enums */
export function enumClass(
  name: string,
  javaName: string,
  all: readonly ScriptEnum[],
  methods: ClassDefinition['methods'] = {},
): ClassDefinition {
  return {
    name,
    javaName,
    parents: ['Comparable'],
    methods: {
      'String name()': (self: ScriptEnum) => self.name,
      'int ordinal()': (self: ScriptEnum) => self.ordinal,
      ...methods,
    },
    statics: {
      [`${name}[] values()`]: () => new ScriptArray(name, [...all]),
      [`${name} valueOf(String)`]: (text: string | null) => enumConstant(all, javaName, text, (one) => one.name),
    },
    constants: Object.fromEntries(all.map((one) => [`${name} ${one.name}`, one])),
  }
}
