import { packageOf } from '../../engine/engine-version.ts'
import type { SpellCheckOptions } from '../../engine/suggest/spell-checker.ts'
import type { TermSuggestion } from '../../engine/suggest/term-suggester.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readFloat } from '../body/read-float.ts'
import { readInt } from '../body/read-int.ts'
import { tokenText } from '../body/token-text.ts'
import { parsingException } from '../parsing-exception.ts'
import { commonMembers, commonOf, type MemberReader, textOf } from './common-members.ts'
import { checkFrequencies, distanceNamed, modeNamed, SPELL_CHECK_DEFAULTS, sortNamed } from './spell-check-options.ts'
import type { SuggesterScope, SuggestTexts } from './suggester-scope.ts'

/** Reads a `term` suggester. @throws {ServiceError} parsing_exception, illegal_argument_exception and others */
export function parseTerm(
  json: { readonly [name: string]: JsonValue },
  scope: SuggesterScope,
): (texts: SuggestTexts) => TermSuggestion {
  const readers: Readonly<Record<string, MemberReader>> = { ...commonMembers(scope), ...spellCheckMembers(scope) }
  const members: Record<string, unknown> = {}
  const fault = (what: string): ServiceError => parsingException(`suggester[term]${what}`)
  for (const [name, value] of Object.entries(json)) {
    if (value === null || typeof value === 'object') throw fault(` parsing failed on [${name}]`).at(json, name)
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (read === undefined) throw fault(` doesn't support field [${name}]`).at(json, name)
    members[name] = read(value)
  }
  const common = commonOf(members, scope.late)
  const options = spellCheckOf(members)
  scope.late.read(() => checkFrequencies(options), undefined)
  return (texts) => ({ kind: 'term', text: textOf(texts), ...common, ...options })
}

function spellCheckMembers({ dialect, queries: { warnings } }: SuggesterScope): Readonly<Record<string, MemberReader>> {
  const { engineVersion, typed } = dialect
  const between = (name: string, read: (value: JsonValue) => number, least: number, most: number): MemberReader =>
    checked(read, (number) => number >= least && number <= most, `${name} must be between ${least} and ${most}`)
  const notNegative = (name: string, read: (value: JsonValue) => number): MemberReader =>
    checked(read, (number) => number >= 0, `${name} must be positive`)
  const int = (value: JsonValue): number => readInt(value, typed)
  const frequency = (name: string): MemberReader => {
    const positive = notNegative(name, readFloat)
    const reason = `if ${name} is greater than 1, it must not be a fraction`
    return checked(
      (value) => positive(value) as number,
      (number) => number <= 1 || number === Math.floor(number),
      reason,
    )
  }
  return {
    suggest_mode: (value) => {
      const name = tokenText(value)
      const mode = modeNamed(name)
      if (mode !== undefined) return mode
      const constant = `${packageOf(engineVersion)}.search.suggest.term.TermSuggestionBuilder.SuggestMode`
      throw illegalArgument(`No enum constant ${constant}.${name.toUpperCase()}`)
    },
    accuracy: between('accuracy', readFloat, 0, 1),
    sort: (value) => sortNamed(tokenText(value), engineVersion),
    string_distance: (value) => {
      const name = tokenText(value)
      const distance = distanceNamed(name, engineVersion, warnings)
      if (distance === undefined) throw illegalArgument(`Illegal distance option ${name}`)
      return distance
    },
    max_edits: between('maxEdits', int, 1, 2),
    max_inspections: notNegative('maxInspections', int),
    max_term_freq: frequency('maxTermFreq'),
    prefix_length: notNegative('prefixLength', int),
    min_word_length: checked(int, (length) => length >= 1, 'minWordLength must be greater or equal to 1'),
    min_doc_freq: frequency('minDocFreq'),
  }
}

function checked(
  read: (value: JsonValue) => number,
  isRight: (number: number) => boolean,
  reason: string,
): MemberReader {
  return (value) => {
    const number = read(value)
    if (isRight(number)) return number
    throw illegalArgument(reason)
  }
}

/** Options by the members that both suggesters of words call alike. */
export function spellCheckOf(members: Readonly<Record<string, unknown>>): SpellCheckOptions {
  const given = {
    suggestMode: members['suggest_mode'],
    accuracy: members['accuracy'],
    sort: members['sort'],
    distance: members['string_distance'],
    maxEdits: members['max_edits'],
    maxInspections: members['max_inspections'],
    maxTermFreq: members['max_term_freq'],
    prefixLength: members['prefix_length'],
    minWordLength: members['min_word_length'],
    minDocFreq: members['min_doc_freq'],
  }
  const told = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...SPELL_CHECK_DEFAULTS, ...(Object.fromEntries(told) as Partial<SpellCheckOptions>) }
}
