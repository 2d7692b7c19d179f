import { ServiceError } from '../../errors.ts'

/** What is left of a value where the real server's parser cannot go on. */
export const UNREADABLE = Symbol('unreadable')

/** A fault of a member of a field's value: OpenSearch shows where its parser stood, not the whole value. */
export class MemberError extends ServiceError {
  /** The member's value; null behind the last of them, {@link UNREADABLE} within a text. */
  readonly member: unknown

  constructor({ type, reason, detail }: ServiceError, member: unknown) {
    super(type, reason, detail)
    this.member = member
  }

  /** What reads a member gives, its faults made faults of that member. */
  static in<T>(member: unknown, read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw error instanceof ServiceError ? new MemberError(error, member) : error
    }
  }
}
