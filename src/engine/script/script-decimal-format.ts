import { ServiceError } from '../../errors.ts'
import { DecimalFormat } from '../decimal-format.ts'
import type { ClassDefinition } from './script-class.ts'
import { fault } from './script-fault.ts'
import { ScriptObject } from './script-object.ts'

/** Java's DecimalFormat, in the root locale. */
class ScriptDecimalFormat extends ScriptObject {
  readonly format: DecimalFormat

  constructor(format: DecimalFormat) {
    super()
    this.format = format
  }

  get className(): string {
    return 'java.text.DecimalFormat'
  }
}

/** @throws {ScriptFault} illegal_argument_exception for a malformed pattern */
function formatOf(pattern: string): ScriptDecimalFormat {
  try {
    return new ScriptDecimalFormat(new DecimalFormat(pattern))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw fault('IllegalArgumentException', error.reason)
  }
}

export const DECIMAL_FORMAT_CLASS: ClassDefinition = {
  name: 'DecimalFormat',
  javaName: 'java.text.DecimalFormat',
  methods: {
    'String format(long)': (self: ScriptDecimalFormat, value: bigint) => self.format.format(value),
    'String format(double)': (self: ScriptDecimalFormat, value: number) => self.format.format(value),
    'String format(Object)': (self: ScriptDecimalFormat, value: unknown) => {
      const number = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
      if (typeof number === 'number' || typeof number === 'bigint') return self.format.format(number)
      throw fault('IllegalArgumentException', 'Cannot format given Object as a Number')
    },
  },
  constructors: { '(String)': formatOf },
}
