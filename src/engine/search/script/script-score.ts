import { ServiceError } from '../../../errors.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { paramsMap } from '../../script/values/script-json.ts'
import type { LeafFunction } from '../lucene/function-score-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { ScriptScoreLuceneQuery } from '../lucene/script-score-query.ts'
import type { CreateInner } from '../queries/boolean-queries.ts'
import type { ScriptScoreQuery } from '../queries/query.ts'
import { type QueryContext, requireAllowed, shardError } from '../queries/query-context.ts'
import { compileForQuery, compileIndexScript, type IndexScript } from './index-script.ts'
import { type SearchScript, scriptText } from './search-script.ts'

/** The function `script_score`. @throws {ServiceError} query_shard_exception for what does not compile */
export function scriptFunction(script: SearchScript, context: QueryContext): (leaf: Leaf) => LeafFunction {
  const compiled = loadScore(script, context)
  const { isLucene7 } = context.search
  return ({ segment }) => {
    const opened = compiled.open(segment)
    return (doc, score) => {
      const value = opened.run(doc, { score }) as number
      if (value < 0 && !isLucene7) {
        throw new ServiceError(
          'illegal_argument_exception',
          `script score function must not produce negative scores, but got: [${javaDouble(value)}]`,
          { inQueryPhase: true },
        )
      }
      return value
    }
  }
}

/** `script_score` as a query. */
export function scriptScoreQuery(query: ScriptScoreQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  requireAllowed('[script score] queries', context)
  const compiled = compileForQuery(query.script, 'score', context)
  return new ScriptScoreLuceneQuery(
    create(query.query, context),
    ({ segment }) => {
      const opened = compiled.open(segment)
      return (doc, score) => opened.run(doc, { score }) as number
    },
    { text: compiled.text, readsScore: compiled.readsScore, minScore: query.minScore },
  )
}

function loadScore(script: SearchScript, context: QueryContext): IndexScript {
  try {
    return compileIndexScript(script, 'score', context.search)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw shardError(context, 'script_score: the script could not be loaded', error)
  }
}

/** What explanations say of a script's score. */
export function scriptDescription(script: SearchScript, isLucene7: boolean): string {
  const computed = `script score function, computed with script:"${scriptText(script)}"`
  return isLucene7 ? `${computed} and parameters: \n${paramsMap(script.params).toText()}` : computed
}
