import { ServiceError } from '../../errors.ts'

/** What Java says of an object of the server's own classes, named with their packages, that is not of the class wanted. */
export function failedCast(found: string, wanted: string): ServiceError {
  const place = `${found} and ${wanted} are in unnamed module of loader 'app'`
  return new ServiceError('class_cast_exception', `class ${found} cannot be cast to class ${wanted} (${place})`)
}

/** What Java says of an object of its own classes that is not of the class wanted. */
export function castFailure(found: string, wanted: string): string {
  const place = `${found} and ${wanted} are in module java.base of loader 'bootstrap'`
  return `class ${found} cannot be cast to class ${wanted} (${place})`
}

/** What Java says of an object of its own classes that is not of the server's class wanted, named with its package. */
export function ownCastFailure(found: string, wanted: string): string {
  const place = `${found} is in module java.base of loader 'bootstrap'; ${wanted} is in unnamed module of loader 'app'`
  return `class ${found} cannot be cast to class ${wanted} (${place})`
}

/** What Java says of an object of the server's own class, named with its package, that is not of one of Java's classes. */
export function ownClassFailure(found: string, wanted: string): string {
  const place = `${found} is in unnamed module of loader 'app'; ${wanted} is in module java.base of loader 'bootstrap'`
  return `class ${found} cannot be cast to class ${wanted} (${place})`
}

/** {@link castFailure} as an error. */
export const failedBaseCast = (found: string, wanted: string): ServiceError =>
  new ServiceError('class_cast_exception', castFailure(found, wanted))

/** An object as Java shows one without a text of its own: its hash is another each time, so that any stands for it. */
export const objectText = (javaClass: string): string => `${javaClass}@5f2050f6`
