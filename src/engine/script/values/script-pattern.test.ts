import { describe, expect, it } from 'vitest'
import { compileScript } from '../compile/compile-script.ts'
import { inVersion } from '../script-context.ts'
import { TEST_CONTEXT } from '../write-contexts.ts'
import { ScriptMap } from './script-map.ts'

const run = (source: string): unknown =>
  compileScript({ source }, inVersion(TEST_CONTEXT, 'OpenSearch_2.19')).run({ params: new ScriptMap() })

describe('a regular expression of a script', () => {
  it('is given up where it takes too long', () => {
    expect(() => run("/(a+)+$/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab').find()")).toThrow(
      expect.objectContaining({
        detail: expect.objectContaining({ cause: expect.objectContaining({ type: 'circuit_breaking_exception' }) }),
      }),
    )
  })

  it('counts for what a run may do', () => {
    const source = "for (int i = 0; i < 100; ++i) { def x = 'aaaaaaaaaaaaaaaaaaaaaaab' =~ /(a+)+$/ } return 1"
    expect(() => run(source)).toThrow('runtime error')
  })
})
