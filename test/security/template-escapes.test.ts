import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../open-rest.ts'

/*
 * What templates (mustache) and expressions see of the process they run in: nothing. Painless has its own (engine/script/escapes.test.ts).
 */

/** Names that lead out of JavaScript's objects, and out of Java's. */
const MEMBERS = [
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'toLocaleString',
    'valueOf',
    'hasOwnProperty',
    '__defineGetter__',
  ],
  ...[
    '__lookupGetter__',
    'isPrototypeOf',
    'apply',
    'call',
    'bind',
    'caller',
    'arguments',
    'class',
    'getClass',
    'classLoader',
  ],
  ...[
    'process',
    'require',
    'globalThis',
    'global',
    'Function',
    'eval',
    'module',
    'exports',
    'Buffer',
    'Reflect',
    'import',
  ],
]
/** A name that nothing has. */
const NOBODY = 'nobodysname'

const TEMPLATES: readonly ((name: string) => string)[] = [
  (name) => `{{${name}}}`,
  (name) => `{{{${name}}}}`,
  (name) => `{{&${name}}}`,
  (name) => `{{p.${name}}}`,
  (name) => `{{p.${name}.${name}}}`,
  (name) => `{{l.0.${name}}}`,
  (name) => `{{l.${name}}}`,
  (name) => `{{s.${name}}}`,
  (name) => `{{n.${name}}}`,
  (name) => `{{#${name}}}in{{/${name}}}`,
  (name) => `{{^${name}}}out{{/${name}}}`,
  (name) => `{{#p}}{{${name}}}{{/p}}`,
  (name) => `{{#l}}{{${name}}}{{.}}{{/l}}`,
  (name) => `{{#toJson}}${name}{{/toJson}}`,
  (name) => `{{#toJson}}p.${name}{{/toJson}}`,
  (name) => `{{#join}}${name}{{/join}}`,
  (name) => `{{#join delimiter='${name}'}}${name}{{/join delimiter='${name}'}}`,
  (name) => `{{#url}}{{${name}}}{{/url}}`,
  (name) => `{{=<% %>=}}<%${name}%>`,
  (name) => `{{${name}.${name}("return process")()}}`,
]

const EXPRESSIONS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}(1)`,
  (name) => `doc['n'].${name}`,
  (name) => `doc['n'].${name}()`,
  (name) => `doc['n'].value.${name}`,
  (name) => `doc['${name}'].value`,
  (name) => `doc.${name}`,
  (name) => `doc['n']['${name}']`,
  (name) => `Math.${name}(1)`,
  (name) => `max.${name}(1)`,
  (name) => `max['${name}']`,
  (name) => `_score.${name}`,
  (name) => `"".${name}.${name}("return process")()`,
]

let rest: Rest
beforeAll(async () => {
  rest = await openRest('Elasticsearch_6.8')
  await rest.ask('PUT', '/i/_doc/1?refresh=true', { n: 1 })
})
afterAll(() => rest.close())

const builtIn = Object.getOwnPropertyNames(Object.prototype).join()

describe.each(MEMBERS)('%s', (name) => {
  it('is to templates a name that nothing has', async () => {
    const params = { p: { a: 1 }, l: [{ a: 1 }, 'x'], s: 'text', n: 5 }
    for (const template of TEMPLATES) {
      const render = async (one: string) => {
        const { status, json } = await rest.ask('POST', '/_render/template', {
          source: `{"x":"${template(one).replaceAll('"', '\\"')}"}`,
          params,
        })
        return [status, JSON.stringify(json)] as const
      }
      const [status, shown] = await render(name)
      const [plainStatus, plain] = await render(NOBODY)
      expect([status, shown], template(name)).toEqual([plainStatus, plain.replaceAll(NOBODY, name)])
      expect(shown).not.toMatch(/native code|\[object|=>|node:internal|\.ts:\d/)
    }
  })

  it('is to expressions none that they know', async () => {
    for (const expression of EXPRESSIONS) {
      const script = { lang: 'expression', source: expression(name) }
      const { status, json } = await rest.ask('POST', '/i/_search', { script_fields: { f: { script } } })
      expect(status, script.source).toBe(400)
      expect(JSON.stringify(json), script.source).not.toMatch(/native code|\[object|node:internal|\.ts:\d/)
    }
  })
})

it('leaves the process as it was', () => {
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(builtIn)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
