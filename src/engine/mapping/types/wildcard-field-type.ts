import type { KeywordField } from '../field-mapping.ts'
import { type FieldType, MULTI_FIELDS } from './field-type.ts'
import { KEYWORD } from './keyword-field-type.ts'
import { booleanParameter } from './parameter.ts'

const keywordParameters = new Map(KEYWORD.parameters.map((parameter) => [parameter.name, parameter]))

/**
 * Text taken as one term, made to be found by patterns (OpenSearch's): here a keyword whose finds all score alike, since
 * the terms of a keyword are found by patterns as fast. Nothing sorts or counts by it unless it has doc values.
 */
export const WILDCARD: FieldType = {
  name: 'wildcard',
  family: 'wildcard',
  isOpenSearch: true,
  parameters: [
    ...['null_value', 'ignore_above', 'normalizer'].flatMap((name) => keywordParameters.get(name) ?? []),
    booleanParameter('doc_values', false),
    MULTI_FIELDS,
  ],
  shownDefaults: { doc_values: false },
  build: (scope) => {
    const docValues = scope.definition.parameters.get('doc_values') === true
    const parameters = new Map([...scope.definition.parameters, ['doc_values', docValues]])
    const built = KEYWORD.build({ ...scope, definition: { ...scope.definition, parameters } })
    const field: KeywordField = { ...(built.field as KeywordField), typeName: 'wildcard', similarity: 'boolean' }
    return { ...built, field }
  },
}
