import { ServiceError } from '../../errors.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { javaText } from './java-text.ts'

/** A `mapper_parsing_exception`. */
export function mapperParsing(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('mapper_parsing_exception', reason, { cause })
}

/** Members of a definition that it does not take, as Java's maps show them. */
export function unsupportedParameters(
  name: string,
  definition: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): ServiceError {
  const told = inJavaHashOrder(keys).map((key) => ` [${key} : ${javaText(definition[key])}]`)
  return mapperParsing(`Mapping definition for [${name}] has unsupported parameters: ${told.join('')}`)
}
