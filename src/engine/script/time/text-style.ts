import type { ClassDefinition } from '../values/script-class.ts'
import { enumClass, enumConstants, type ScriptEnum } from '../values/script-enum.ts'

const NAME = 'java.time.format.TextStyle'
const ALONE = '_STANDALONE'
const STYLES = enumConstants(NAME, `FULL FULL${ALONE} SHORT SHORT${ALONE} NARROW NARROW${ALONE}`)

/** How long the name of a part of a date is in a style. */
export function widthOf({ name }: ScriptEnum): 'long' | 'short' | 'narrow' {
  return name.startsWith('FULL') ? 'long' : name.startsWith('SHORT') ? 'short' : 'narrow'
}

const isAlone = ({ ordinal }: ScriptEnum): boolean => ordinal % 2 === 1

export const TEXT_STYLE_CLASS: ClassDefinition = enumClass('TextStyle', NAME, STYLES, {
  'boolean isStandalone()': isAlone,
  'TextStyle asStandalone()': (self: ScriptEnum) => (isAlone(self) ? self : STYLES[self.ordinal + 1]),
  'TextStyle asNormal()': (self: ScriptEnum) => (isAlone(self) ? STYLES[self.ordinal - 1] : self),
})
