import { ServiceError } from '../errors.ts'

/** What Java says of an object of the server's own classes, named with their packages, that is not of the class wanted. */
export function failedCast(found: string, wanted: string): ServiceError {
  const place = `${found} and ${wanted} are in unnamed module of loader 'app'`
  return new ServiceError('class_cast_exception', `class ${found} cannot be cast to class ${wanted} (${place})`)
}

/** An object as Java shows one without a text of its own: its hash is another each time, so that any stands for it. */
export const objectText = (javaClass: string): string => `${javaClass}@5f2050f6`
