import { ServiceError } from '../../errors.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Resolves the escapes of mapping rules: `\n`, `\\`, `\u00e9`, …
 *
 * @throws {ServiceError} runtime_exception for an escape that breaks off
 */
export function unescapeRule(text: string, complain: (reason: string) => ServiceError): string {
  const broken = () => complain(`Invalid escaped char in [${text}]`)
  return text.replace(/\\(?:u([\s\S]{4})|([\s\S]?))/g, (_, code: string | undefined, char: string | undefined) => {
    if (code !== undefined) {
      if (!/^[0-9a-fA-F]{4}$/.test(code))
        throw new ServiceError('number_format_exception', `For input string: "${code}"`)
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    if (char === undefined || char === '' || char === 'u') throw broken()
    return ESCAPES[char] ?? char
  })
}
