import { ServiceError } from '../../../errors.ts'
import { type CompiledScript, compileScript } from '../../script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from '../../script/script-context.ts'
import { ScriptObject } from '../../script/values/script-object.ts'
import type { Interval } from '../lucene/positions/interval-lists.ts'
import type { IntervalNode } from '../lucene/positions/interval-query.ts'
import { failedToCreate, type QueryContext } from '../queries/query-context.ts'
import { inQueryPhase } from '../query-phase.ts'
import { findScript, type SearchScript } from './search-script.ts'

const INTERVAL = 'org.elasticsearch.index.query.IntervalFilterScript.Interval'

/** The interval a script is asked about. */
class AskedInterval extends ScriptObject {
  readonly className = INTERVAL
  readonly interval: Interval

  constructor(interval: Interval) {
    super()
    this.interval = interval
  }
}

const CONTEXT: ScriptContext = {
  name: 'interval',
  argumentCount: 1,
  variables: { interval: 'IntervalFilterScript.Interval' },
  returns: 'boolean',
  classes: [
    {
      name: 'IntervalFilterScript.Interval',
      javaName: INTERVAL,
      methods: {
        'int getStart()': ({ interval }: AskedInterval) => interval.start,
        'int getEnd()': ({ interval }: AskedInterval) => interval.end,
        'int getGaps()': ({ interval }: AskedInterval) => interval.gaps,
      },
    },
  ],
}

/** Those of a source that a script takes. @throws {ServiceError} query_shard_exception for one that does not compile */
export function scriptedNode(part: IntervalNode, script: SearchScript, context: QueryContext): IntervalNode {
  const compiled = compile(script, context)
  return {
    kind: 'scripted',
    part,
    script: script.script.kind === 'inline' ? script.script.source : script.script.id,
    takes: (interval) => inQueryPhase(() => compiled.run({ interval: new AskedInterval(interval) }) === true),
  }
}

function compile(script: SearchScript, context: QueryContext): CompiledScript {
  const place = inVersion(CONTEXT, context.search.engineVersion)
  try {
    return compileScript(findScript(script, place), place)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw failedToCreate(context, error)
  }
}
