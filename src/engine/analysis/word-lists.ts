import { isCommentLine } from './comment-line.ts'
import type { FactoryContext } from './factories.ts'
import { stopWordsNamed } from './stop-words.ts'
import { lowerCase } from './unicode/lower-case.ts'

/** Sets that no settings can name: `_none_` is not a set, and only the analyzer knows the one for Chinese, Japanese and Korean. */
const NOT_NAMED: ReadonlySet<string> = new Set(['_none_', '_cjk_'])

/** A set of words as a test. */
export type WordTest = (word: string) => boolean

/** A test for membership, by the letter or without regard to case. */
export function wordTest(words: Iterable<string>, ignoreCase: boolean): WordTest {
  if (!ignoreCase) {
    const set = new Set(words)
    return (word) => set.has(word)
  }
  const set = new Set(Array.from(words, lowerCase))
  return (word) => set.has(lowerCase(word))
}

/** Words of a list or file, with regard to `<name>_case` (true: any case); undefined when there is neither. */
export function readWordSet(context: FactoryContext, name: string): WordTest | undefined {
  const words = readWords(context, name)
  return words === undefined ? undefined : wordTest(words, context.settings.boolean(`${name}_case`, false))
}

/** Words of a list or file, without comments; undefined when there is neither. */
export function readWords(
  { settings, configDir, engineVersion }: FactoryContext,
  name: string,
): readonly string[] | undefined {
  return settings.words(name, configDir)?.filter((word) => !isCommentLine(word, engineVersion))
}

/**
 * Words of a list or file in which names of sets (`_english_`) stand for their words; `_none_` alone is none.
 *
 * @param fallback  where the settings have neither
 */
export function readNamedWords(context: FactoryContext, name: string, fallback: readonly string[]): readonly string[] {
  const { settings, configDir } = context
  if (settings.text(name) === '_none_') return []
  // A text without words is none of them, not the fallback.
  const words = settings.list(name) ?? (settings.text(name) === undefined ? settings.fileLines(name, configDir) : [])
  // A name that is no set is a word like any other, as in the real server.
  return (
    words?.flatMap((word) =>
      NOT_NAMED.has(word) ? [word] : (stopWordsNamed(word, context.engineVersion) ?? [word]),
    ) ?? fallback
  )
}
