import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { type ReadContext, readPipeline, readPipelineInTurns } from './pipeline.ts'
import { PROCESSORS } from './processors.ts'

const noted: string[] = []
const context: ReadContext = {
  engineVersion: 'Elasticsearch_6.8',
  script: () => undefined,
  geoDatabase: () => undefined as never,
  deprecated: (name) => void noted.push(name),
}
type Body = { readonly [name: string]: JsonValue }

const grok = (i: number): JsonValue => ({
  grok: { field: 't', patterns: [`${'%{COMMONAPACHELOG} '.repeat(3)}${i}`] },
})
const many = Array.from({ length: 60 }, (_, i) => grok(i))
const agent: JsonValue = { user_agent: { field: 'a' } }

/** What comes of reading it, and what was noted. */
async function outcome(read: () => unknown): Promise<unknown> {
  noted.length = 0
  try {
    const { processors } = (await read()) as ReturnType<typeof readPipeline>
    return [processors.map(({ type, name }) => `${type} ${name}`), [...noted]]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [error.type, error.message, error.detail, [...noted]]
  }
}

describe('a pipeline of many processors', () => {
  it.each<[string, Body]>([
    ['of patterns', { processors: many }],
    ['with what is deprecated', { processors: [agent, ...many] }],
    ['with one that is wrong', { processors: [...many, { grok: { field: 't' } }] }],
    ['with several that are wrong', { processors: [{ no: {} }, ...many, { set: { field: 'a' } }, { set: null }] }],
    ['with what is none', { processors: [...many, 1] }],
  ])('%s is read in turns as it is at once', async (_, body) => {
    const atOnce = await outcome(() => readPipeline('p', body, PROCESSORS, context))
    expect(await outcome(() => readPipelineInTurns('p', body, PROCESSORS, context))).toEqual(atOnce)
  })

  it('lets others be served while it is read', async () => {
    let turns = 0
    let isRead = false
    const others = (): void => {
      if (isRead) return
      turns++
      setImmediate(others)
    }
    setImmediate(others)
    await readPipelineInTurns('p', { processors: many }, PROCESSORS, context)
    isRead = true
    expect(turns).toBeGreaterThan(2)
  })
})
