import { castFailure } from '../../../engine/java/java-class-text.ts'
import { javaText } from '../../../engine/mapping/java-text.ts'
import { classOf, isMap, type Value } from '../ingest-document.ts'
import { IngestFault } from '../ingest-fault.ts'
import { PatternSyntaxError } from '../oniguruma/pattern-syntax-error.ts'
import type { ProcessorFactory } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { Grok } from './grok.ts'
import { expandGrok, forbidCircles, GrokSyntaxError } from './grok-expression.ts'
import { builtInPatterns, type PatternBank } from './pattern-bank.ts'

/** Where a document notes which of several patterns matched. */
const MATCH_INDEX = '_ingest._grok_match_index'

/** `grok`: fields out of a text by named patterns. */
export const grok: ProcessorFactory = (config, { engineVersion }) => {
  const field = config.text('field')
  const patterns = config.list('patterns')
  const traces = config.boolean('trace_match', false)
  const ignoreMissing = config.boolean('ignore_missing', false)
  if (patterns.length === 0) throw config.fault('patterns', 'List of patterns must not be empty')
  const compiled = compile(config, patterns, traces, builtInPatterns(engineVersion))
  return (document) => {
    const text = document.textToUse(field, ignoreMissing)
    if (text === undefined) return
    const fields = compiled.captures(text)
    if (fields === undefined) throw new IngestFault(`Provided Grok expressions do not match field value: [${text}]`)
    for (const [path, value] of fields) document.set(path, value)
    if (!traces) return
    if (patterns.length === 1) {
      document.set(MATCH_INDEX, '0')
      return
    }
    const found = document.get(MATCH_INDEX)
    const index = isMap(found) ? Object.keys(found)[0] : undefined
    if (index !== undefined) document.set(MATCH_INDEX, index)
    return undefined
  }
}

function compile(config: ProcessorConfig, patterns: readonly unknown[], traces: boolean, builtIn: PatternBank): Grok {
  const custom = config.optionalMap('pattern_definitions')
  try {
    const bank = custom === undefined ? builtIn : withOwn(builtIn, custom)
    const texts = patterns.map(textOf)
    const [first = ''] = texts
    const whole =
      texts.length === 1
        ? first
        : texts.map((text, index) => (traces ? `(?<${MATCH_INDEX}.${index}>${text})` : `(?:${text})`)).join('|')
    return new Grok(expandGrok(whole, bank))
  } catch (error) {
    if (!(error instanceof GrokSyntaxError) && !(error instanceof PatternSyntaxError)) throw error
    throw config.fault('patterns', `Invalid regex pattern found in: ${javaText(patterns)}. ${error.message}`)
  }
}

/** The bank with definitions of one's own, which take the place of those of the same name. */
function withOwn(builtIn: PatternBank, custom: { readonly [name: string]: unknown }): PatternBank {
  const bank = new Map(builtIn)
  for (const [name, pattern] of Object.entries(custom)) bank.set(name, textOf(pattern))
  forbidCircles(bank)
  return bank
}

function textOf(pattern: unknown): string {
  if (typeof pattern === 'string') return pattern
  throw new GrokSyntaxError(castFailure(classOf(pattern as Value), 'java.lang.String'))
}
