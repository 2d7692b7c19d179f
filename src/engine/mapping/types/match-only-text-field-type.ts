import type { TextField } from '../field-mapping.ts'
import { mapperParsing } from '../mapping-errors.ts'
import type { BuildScope, FieldType } from './field-type.ts'
import type { Parameter } from './parameter.ts'
import { TEXT } from './text-field-type.ts'

/** What a text has that this one can do without; positions are kept, so phrases need not be looked for in sources. */
const FIXED: ReadonlySet<string> = new Set(['norms', 'index_options', 'index_phrases', 'index_prefixes', 'similarity'])

/** Text whose words all score alike (OpenSearch's). */
export const MATCH_ONLY_TEXT: FieldType = {
  ...TEXT,
  name: 'match_only_text',
  family: 'match_only_text',
  isOpenSearch: true,
  parameters: TEXT.parameters.map(fixedParameter),
  build: (scope) => {
    const built = TEXT.build({ ...scope, definition: plainDefinition(scope) })
    const field: TextField = {
      ...(built.field as TextField),
      typeName: 'match_only_text',
      norms: false,
      similarity: 'occurrence',
    }
    return { ...built, field }
  },
}

function plainDefinition({ definition }: BuildScope): BuildScope['definition'] {
  return { ...definition, parameters: new Map([...definition.parameters].filter(([name]) => !FIXED.has(name))) }
}

function fixedParameter(parameter: Parameter): Parameter {
  const { name } = parameter
  const read: Parameter['read'] = (value, scope) => {
    const found = parameter.read(value, scope)
    if (name === 'norms' && found === true) throw refused('Norms cannot be enabled on for match_only_text field')
    if (name === 'index_options' && found !== 'docs')
      throw refused(`Unknown value [${String(found)}] for field [index_options] - accepted values are [docs]`)
    if (name === 'index_phrases' && found === true)
      throw refused('Index phrases cannot be enabled on for match_only_text field. Use text field instead')
    if (name === 'index_prefixes')
      throw refused('Index prefixes cannot be enabled on for match_only_text field. Use text field instead')
    // What it is anyway is not shown.
    return name === 'norms' || name === 'index_options' ? undefined : found
  }
  return FIXED.has(name) ? { ...parameter, read } : parameter
}

const refused = mapperParsing
