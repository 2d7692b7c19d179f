import { illegalArgument } from '../../../illegal-argument.ts'

/** Whether an orientation is to the right. @throws {ServiceError} illegal_argument_exception */
export function isRightOrientation(text: string): boolean {
  const name = text.toLowerCase()
  if (name === 'right' || name === 'counterclockwise' || name === 'ccw') return true
  if (name === 'left' || name === 'clockwise' || name === 'cw') return false
  throw illegalArgument(`Unknown orientation [${name}]`)
}
