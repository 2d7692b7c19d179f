import { nestedDocs } from '../lucene/block-join-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { ScriptLuceneQuery } from '../lucene/script-query.ts'
import type { ScriptQuery } from '../queries/query.ts'
import { type QueryContext, requireAllowed } from '../queries/query-context.ts'
import { compileForQuery } from './index-script.ts'

/** The DSL's `script`. */
export function scriptQuery({ script }: ScriptQuery, context: QueryContext): LuceneQuery {
  requireAllowed('[script] queries', context)
  const compiled = compileForQuery(script, 'filter', context)
  const { nestedPath } = context
  return new ScriptLuceneQuery(
    `ScriptQuery(${compiled.text})`,
    (leaf) => {
      const opened = compiled.open(leaf.segment)
      return (doc) => opened.run(doc) === true
    },
    (leaf) => (nestedPath === undefined ? leaf.segment.rootDocs : nestedDocs(leaf, nestedPath)),
  )
}
