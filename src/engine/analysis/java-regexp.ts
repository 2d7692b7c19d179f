import { ServiceError } from '../../errors.ts'

const FLAGS: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: 'i',
  MULTILINE: 'm',
  DOTALL: 's',
  UNICODE_CASE: '',
  UNICODE_CHARACTER_CLASS: '',
  CANON_EQ: '',
  LITERAL: '',
  COMMENTS: '',
  UNIX_LINES: '',
}

/**
 * A Java pattern as a JavaScript one, global and with indices. What JavaScript writes differently is translated
 * (possessive quantifiers and atomic groups become plain ones: they change speed, rarely a match).
 *
 * @param flags  Java's names joined by `|`: `CASE_INSENSITIVE|COMMENTS`
 * @throws {ServiceError} illegal_argument_exception when it does not compile
 */
export function javaRegExp(pattern: string, flags = ''): RegExp {
  const names = flags.split('|').filter((f) => f !== '')
  let jsFlags = 'gdu'
  for (const name of names) {
    const flag = FLAGS[name]
    if (flag === undefined) throw new ServiceError('illegal_argument_exception', `Unknown regex flag [${name}]`)
    if (!jsFlags.includes(flag)) jsFlags += flag
  }
  let source = names.includes('LITERAL') ? pattern.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&') : translate(pattern)
  const inline = /^\(\?([ims]+)\)/.exec(source)
  if (inline !== null) {
    source = source.slice(inline[0].length)
    for (const flag of inline[1] as string) if (!jsFlags.includes(flag)) jsFlags += flag
  }
  for (const attempt of [jsFlags, jsFlags.replace('u', '')]) {
    try {
      return new RegExp(source, attempt)
    } catch {
      // Patterns that escape more than `u` allows are compiled without it.
    }
  }
  throw new ServiceError('illegal_argument_exception', `pattern [${pattern}] does not compile`)
}

function translate(pattern: string): string {
  return pattern
    .replace(
      /\\p\{(Is)?(Alpha|Digit|Alnum|Punct|Upper|Lower|Space)\}/g,
      (_, _is, name: string) => POSIX[name] as string,
    )
    .replace(/\\p\{Is(\w+)\}/g, (_, name: string) =>
      /^(Hangul|Han|Hiragana|Katakana|Latin|Greek|Cyrillic|Thai|Arabic|Hebrew)$/i.test(name)
        ? `\\p{Script=${name}}`
        : `\\p{${name}}`,
    )
    .replace(/\\h/g, '[ \\t\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]')
    .replace(/\\Z|\\z/g, '$')
    .replace(/\\A/g, '^')
    .replace(/\(\?>/g, '(?:')
    .replace(/([*+?}])\+/g, '$1')
}

const POSIX: Readonly<Record<string, string>> = {
  Alpha: '[a-zA-Z]',
  Digit: '[0-9]',
  Alnum: '[a-zA-Z0-9]',
  Punct: '[!-\\/:-@\\[-`{-~]',
  Upper: '[A-Z]',
  Lower: '[a-z]',
  Space: '\\s',
}
