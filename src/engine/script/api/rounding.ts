import { fault } from '../script-fault.ts'
import { ScriptObject } from '../script-object.ts'

/** Java's `RoundingMode`. */
export class RoundingMode extends ScriptObject {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  get className(): string {
    return 'java.math.RoundingMode'
  }

  override toText(): string {
    return this.name
  }
}

/** All of them. */
export const MODES = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN', 'UNNECESSARY'].map(
  (name) => new RoundingMode(name),
)

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
