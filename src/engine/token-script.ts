import type { TokenBuffer } from './analysis/token-buffer.ts'
import type { CompileTokenScript } from './analysis/token-scripts.ts'
import type { EngineVersion } from './engine-version.ts'
import { compileScript } from './script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from './script/script-context.ts'
import { ScriptObject } from './script/values/script-object.ts'
import { findScript } from './search/script/search-script.ts'

const TOKEN = 'org.elasticsearch.analysis.common.AnalysisPredicateScript.Token'

/** The token a script is asked about. */
class AskedToken extends ScriptObject {
  readonly tokens: TokenBuffer
  readonly index: number
  readonly position: number

  constructor(tokens: TokenBuffer, index: number, position: number) {
    super()
    this.tokens = tokens
    this.index = index
    this.position = position
  }

  get className(): string {
    return TOKEN
  }
}

/** Scripts of analyzers, which see one token. */
const ANALYSIS: ScriptContext = {
  name: 'analysis',
  argumentCount: 1,
  variables: { token: 'AnalysisPredicateScript.Token' },
  returns: 'boolean',
  classes: [
    {
      name: 'AnalysisPredicateScript.Token',
      javaName: TOKEN,
      methods: {
        'CharSequence getTerm()': ({ tokens, index }: AskedToken) => tokens.terms[index],
        'int getPosition()': ({ position }: AskedToken) => position,
        'int getPositionIncrement()': ({ tokens, index }: AskedToken) => tokens.positionIncrements[index],
        'int getPositionLength()': ({ tokens, index }: AskedToken) => tokens.positionLengths[index],
        'int getStartOffset()': ({ tokens, index }: AskedToken) => tokens.startOffsets[index],
        'int getEndOffset()': ({ tokens, index }: AskedToken) => tokens.endOffsets[index],
        'String getType()': ({ tokens, index }: AskedToken) => tokens.types[index],
        'boolean isKeyword()': ({ tokens, index }: AskedToken) => tokens.keywords[index],
      },
    },
  ],
}

/** Compiles the scripts of an index's analyzers. */
export function tokenScripts(engineVersion: EngineVersion): CompileTokenScript {
  const context = inVersion(ANALYSIS, engineVersion)
  return ({ lang, source }) => {
    const script = compileScript(findScript({ script: { kind: 'inline', lang, source }, params: {} }, context), context)
    return (tokens, index, position) => script.run({ token: new AskedToken(tokens, index, position) }) === true
  }
}
