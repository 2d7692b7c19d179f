import { fault } from '../script-fault.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { enumClass, enumConstants } from '../values/script-enum.ts'

const NAME = 'java.math.RoundingMode'

/** All of them. */
export const MODES = enumConstants(NAME, 'UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN UNNECESSARY')

export const ROUNDING_MODE_CLASS: ClassDefinition = enumClass('RoundingMode', NAME, MODES)

/** A quotient as a rounding mode has it. */
export function divided(left: bigint, right: bigint, mode: string): bigint {
  if (right === 0n) throw fault('ArithmeticException', '/ by zero')
  const quotient = left / right
  const rest = left % right
  if (rest === 0n) return quotient
  const away = left < 0n === right < 0n ? 1n : -1n
  const twice = (rest < 0n ? -rest : rest) * 2n
  const size = right < 0n ? -right : right
  switch (mode) {
    case 'UP':
      return quotient + away
    case 'DOWN':
      return quotient
    case 'CEILING':
      return away > 0n ? quotient + 1n : quotient
    case 'FLOOR':
      return away < 0n ? quotient - 1n : quotient
    case 'HALF_UP':
      return twice >= size ? quotient + away : quotient
    case 'HALF_DOWN':
      return twice > size ? quotient + away : quotient
    case 'HALF_EVEN':
      return twice > size || (twice === size && quotient % 2n !== 0n) ? quotient + away : quotient
    default:
      throw fault('ArithmeticException', 'Rounding necessary')
  }
}
