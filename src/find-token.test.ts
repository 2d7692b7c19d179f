import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Place } from './errors.ts'
import { findToken, type TextPlace } from './find-token.ts'

type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

/** A text and the places of its tokens, as it is written. */
class Writer {
  readonly places: (TextPlace & Place)[] = []
  #text = ''
  readonly #spaces: readonly string[]
  #space = 0

  constructor(spaces: readonly string[]) {
    this.#spaces = spaces
  }

  write(value: Value, container: object | undefined, key: string | number | undefined): string {
    this.#gap()
    const own = typeof value === 'object' && value !== null ? value : undefined
    const note = (token: Place['token']): void => {
      if (container !== undefined) this.#note(container, key, token)
      if (own !== undefined) this.#note(own, undefined, token)
    }
    note('start')
    if (own === undefined) {
      note('end')
      this.#text += JSON.stringify(value)
    } else {
      const list = Array.isArray(own)
      this.#text += list ? '[' : '{'
      for (const [i, name] of Object.keys(own).entries()) {
        if (i > 0) this.#text += ','
        this.#gap()
        if (!list) {
          this.#note(own, name, 'name')
          this.#text += JSON.stringify(name)
          this.#gap()
          this.#text += ':'
        }
        this.write((own as { [name: string]: Value })[name] as Value, own, list ? i : name)
        this.#gap()
      }
      this.#gap()
      note('end')
      this.#text += list ? ']' : '}'
    }
    return this.#text
  }

  #gap(): void {
    this.#text += this.#spaces[this.#space++ % this.#spaces.length] ?? ''
  }

  #note(container: object, key: string | number | undefined, token: Place['token']): void {
    const lines = this.#text.split(/\r\n|\r|\n/)
    const column = Buffer.byteLength(lines.at(-1) as string) + 1
    this.places.push({ container, key, token, line: lines.length, column })
  }
}

const space = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r\n', '\r', ''), { maxLength: 3 })
  .map((parts) => parts.join(''))
const name = fc.oneof(fc.string(), fc.constantFrom('한글', 'é"\\', '😀', '__proto__x', '{', '],'))
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    name,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

describe('findToken', () => {
  it('finds every token of every text where counting finds it', () => {
    fc.assert(
      fc.property(value, fc.array(space, { minLength: 1, maxLength: 7 }), (root, spaces) => {
        const writer = new Writer(spaces)
        const json = Buffer.from(writer.write(root, undefined, undefined))
        for (const { line, column, ...place } of writer.places)
          expect(findToken(json, root, place)).toEqual({ line, column })
      }),
    )
  })

  it('finds what follows on a value, past a comma', () => {
    const root = { a: [1, { b: 2 }], c: 3 }
    const json = Buffer.from('{"a":[1 , {"b":2} ],\n "c":3}')
    const next = (container: object, key: string | number) => findToken(json, root, { container, key, token: 'next' })
    expect(next(root.a, 0)).toEqual({ line: 1, column: 11 })
    expect(next(root.a, 1)).toEqual({ line: 1, column: 19 })
    expect(next(root, 'a')).toEqual({ line: 2, column: 2 })
  })

  it('counts bytes, a byte order mark too, and no member of another value', () => {
    const root = { 한글: { b: 1 } }
    const json = Buffer.from('\ufeff{"한글":{"b":1}}')
    expect(findToken(json, root, { container: root.한글, key: 'b', token: 'start' })).toEqual({ line: 1, column: 19 })
    expect(findToken(json, root, { container: { b: 1 }, key: 'b', token: 'start' })).toBeUndefined()
  })
})
