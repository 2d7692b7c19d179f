import { inJavaHashOrder } from '../../../engine/java/java-hash-order.ts'
import { DissectError, type DissectKey, readDissectKey } from './dissect-key.ts'

interface Step {
  readonly key: DissectKey
  /** What stands after its value, in UTF-8. */
  readonly delimiter: Buffer
}

/** A pattern of keys and what stands between them: takes a text apart without regular expressions. */
export class DissectPattern {
  readonly #separator: string
  readonly #leading: string
  readonly #steps: readonly Step[]
  /** Number of names that a match must fill. */
  readonly #names: number

  /**
   * @param separator  stands between values that are put together
   * @throws {DissectError}
   */
  constructor(pattern: string, separator: string) {
    this.#separator = separator
    this.#leading = /^([^\n\r\u0085\u2028\u2029]*?)%/.exec(pattern)?.[1] ?? ''
    const steps: Step[] = []
    for (const [, key, delimiter] of pattern.slice(this.#leading.length).matchAll(/%\{([^}]*?)\}([^%]*)/g))
      steps.push({ key: readDissectKey(key as string), delimiter: Buffer.from(delimiter as string) })
    this.#names = new Set(steps.filter(({ key }) => !key.skips).map(({ key }) => key.name)).size
    if (this.#names === 0) throw patternFault(pattern, 'Unable to find any keys or delimiters.')
    const appended = new Set(steps.filter(({ key }) => isAppend(key)).map(({ key }) => key.name))
    this.#steps = steps.map((step) =>
      step.key.modifier === 'none' && appended.has(step.key.name)
        ? { ...step, key: { ...step.key, modifier: 'append' } }
        : step,
    )
    checkReferences(pattern, this.#steps)
  }

  /** The values of a text by name, in the order in which Java's map lists them; undefined: it does not match. */
  parse(text: string): ReadonlyMap<string, string> | undefined {
    const leading = this.#leading
    if (text.length <= leading.length || !text.startsWith(leading)) return undefined
    const values = this.#split(Buffer.from(text))
    if (values.length !== this.#steps.length) return undefined
    const results = this.#results(values)
    return results.size === this.#names ? results : undefined
  }

  /** The value of each key, in UTF-8's bytes; fewer than there are keys where the text ends before. */
  #split(input: Buffer): string[] {
    const steps = this.#steps
    const values: string[] = []
    // As in the real server characters are counted here, bytes everywhere else.
    let at = this.#leading.length
    let start = at
    let index = 0
    while (at < input.length) {
      const { delimiter } = steps[index] as Step
      if (delimiter.length === 0 || !standsAt(input, delimiter, at)) {
        at++
        continue
      }
      values.push(input.toString('utf8', start, at))
      at += delimiter.length
      // The same delimiter again: padding, or a value that is empty.
      while (at < input.length && standsAt(input, delimiter, at)) {
        at += delimiter.length
        if ((steps[index] as Step).key.skipsPadding) continue
        if (index + 1 >= steps.length) break
        index++
        values.push('')
      }
      if (index + 1 >= steps.length) return values
      index++
      start = at
      // The real server goes on one byte further: a delimiter does not stand where a value begins.
      at++
    }
    if (values.length < steps.length && (steps[index] as Step).delimiter.length === 0)
      values.push(input.toString('utf8', start))
    return values
  }

  #results(values: readonly string[]): ReadonlyMap<string, string> {
    const simple = new Map<string, string>()
    const pairs = new Map<string, { name?: string; value?: string }>()
    const lists = new Map<string, { readonly text: string; readonly place: number }[]>()
    // Values without a place come before those with one, in the order of the text.
    let unplaced = -1000
    for (const [index, text] of values.entries()) {
      const { key } = this.#steps[index] as Step
      if (key.skips) continue
      switch (key.modifier) {
        case 'none':
          simple.set(key.name, text)
          break
        case 'append':
        case 'append-in-order': {
          const place = key.modifier === 'append' ? unplaced++ : key.place
          lists.set(key.name, [...(lists.get(key.name) ?? []), { text, place }])
          break
        }
        case 'field-name':
          pairs.set(key.name, { ...pairs.get(key.name), name: text })
          break
        case 'field-value':
          pairs.set(key.name, { ...pairs.get(key.name), value: text })
          break
        case 'skip':
          break
      }
    }
    for (const { name, value } of pairs.values()) if (name !== undefined && value !== undefined) simple.set(name, value)
    for (const [name, list] of lists) {
      const ordered = list.toSorted((a, b) => a.place - b.place)
      simple.set(name, ordered.map(({ text }) => text).join(this.#separator))
    }
    return new Map(inJavaHashOrder([...simple.keys()]).map((name) => [name, simple.get(name) as string]))
  }
}

function isAppend({ modifier }: DissectKey): boolean {
  return modifier === 'append' || modifier === 'append-in-order'
}

/** Every name of a field needs its value, and the other way round. */
function checkReferences(pattern: string, steps: readonly Step[]): void {
  const names = steps
    .filter(({ key }) => key.modifier === 'field-name' || key.modifier === 'field-value')
    .map(({ key }) => key.name)
  for (const name of inJavaHashOrder([...new Set(names)])) {
    const same = names.filter((one) => one === name)
    if (same.length !== 2) {
      throw patternFault(
        pattern,
        `Found invalid key/reference associations: '${same.join(',')}' Please ensure each '*<key>' is matched with a matching '&<key>`,
      )
    }
  }
}

function patternFault(pattern: string, reason: string): DissectError {
  return new DissectError('pattern_parse', `Unable to parse pattern: ${pattern} Reason: ${reason}`)
}

function standsAt(input: Buffer, part: Buffer, at: number): boolean {
  return at + part.length <= input.length && input.compare(part, 0, part.length, at, at + part.length) === 0
}
