import { type ErrorType, ServiceError, type ServiceErrorDetail } from '../errors.ts'

/** A {@link ServiceError} that a message can carry. Where in a request's body the fault lies is not told. */
export interface PortableError {
  readonly type: ErrorType
  readonly reason: string
  readonly cause: PortableError | undefined
  readonly rootCause: PortableError | undefined
  readonly detail: Omit<ServiceErrorDetail, 'cause' | 'rootCause' | 'place' | 'failures'>
}

/** What of an error goes into a message. */
export function portableError({ type, reason, detail }: ServiceError): PortableError {
  const { cause, rootCause, place, failures, ...others } = detail
  return {
    type,
    reason,
    cause: cause && portableError(cause),
    rootCause: rootCause && portableError(rootCause),
    detail: others,
  }
}

/** The error again, in another thread. */
export function readError({ type, reason, cause, rootCause, detail }: PortableError): ServiceError {
  return new ServiceError(type, reason, {
    ...detail,
    ...(cause === undefined ? {} : { cause: readError(cause) }),
    ...(rootCause === undefined ? {} : { rootCause: readError(rootCause) }),
  })
}
