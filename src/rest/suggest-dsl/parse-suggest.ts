import type { NamedSuggestion, Suggestion } from '../../engine/suggest/run-suggestions.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { parsingException } from '../parsing-exception.ts'
import type { CollateScope } from './collate.ts'
import { inLists } from './in-lists.ts'
import { LateFaults, textMissing } from './late-faults.ts'
import { parseCompletion } from './parse-completion.ts'
import { parsePhrase } from './parse-phrase.ts'
import { parseTerm } from './parse-term.ts'
import type { SuggesterScope, SuggestTexts } from './suggester-scope.ts'

/**
 * Reads the `suggest` of a search.
 *
 * @throws {ServiceError} parsing_exception, illegal_argument_exception in the real server's words
 */
export function parseSuggest(json: JsonValue, scope: CollateScope): NamedSuggestion[] {
  if (!isObject(json)) throw unknownKey('suggest', json)
  const late = new LateFaults()
  let globalText: string | undefined
  const read: { readonly name: string; readonly make: () => Suggestion }[] = []
  for (const [name, value] of Object.entries(json)) {
    if (isObject(value)) read.push({ name, make: parseOne(value, () => globalText, { ...scope, late }) })
    else if (value === null || Array.isArray(value))
      throw parsingException(`unexpected token [${tokenName(value)}] after [${name}]`).at(json, name)
    else if (name === 'text') globalText = tokenText(value)
    else throw illegalArgument(`[suggest] does not support [${name}]`)
  }
  const suggestions = read.map(({ name, make }) => ({ name, suggestion: make() }))
  late.throwFirst()
  return suggestions
}

/** Reads a suggestion. What it is for may be told behind it, for all of them. */
function parseOne(
  json: { readonly [name: string]: JsonValue },
  globalText: () => string | undefined,
  scope: SuggesterScope,
): () => Suggestion {
  const texts: { -readonly [K in keyof SuggestTexts]: SuggestTexts[K] } = {
    text: undefined,
    prefix: undefined,
    regex: undefined,
  }
  let make: ((texts: SuggestTexts) => Suggestion) | undefined
  for (const [name, member] of Object.entries(json)) {
    for (const value of inLists(member)) {
      if (isObject(value)) make = suggesterOf(name, value, scope)
      else if (name === 'text' || name === 'prefix' || name === 'regex') texts[name] = tokenText(value)
      else throw parsingException(`suggestion does not support [${name}]`).at(json, name)
    }
  }
  if (make === undefined) throw new ServiceError('parse_exception', 'missing suggestion object')
  const suggester = make
  return () => {
    if (Object.values(texts).every((text) => text === undefined)) texts.text = globalText()
    if (Object.values(texts).every((text) => text === undefined)) scope.late.note(textMissing())
    return suggester(texts)
  }
}

type Suggester = (texts: SuggestTexts) => Suggestion

function suggesterOf(type: string, json: { readonly [name: string]: JsonValue }, scope: SuggesterScope): Suggester {
  switch (type) {
    case 'term':
      return parseTerm(json, scope)
    case 'phrase':
      return parsePhrase(json, scope)
    case 'completion':
      return parseCompletion(json, scope)
  }
  throw new ServiceError(
    'named_object_not_found_exception',
    scope.dialect.typed
      ? `unable to parse SuggestionBuilder with name [${type}]: parser not found`
      : `unknown field [${type}]`,
  ).at(json)
}
