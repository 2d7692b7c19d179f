import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { enumConstant } from '../values/enum-constant.ts'
import { notNull } from '../values/not-null.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptObject } from '../values/script-object.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'
import { checkBase64 } from './check-base64.ts'

/** Java's StringJoiner. */
class ScriptJoiner extends ScriptObject {
  readonly #by: string
  readonly #before: string
  readonly #after: string
  #joined: string | undefined
  empty: string

  constructor(by: string, before: string, after: string) {
    super()
    this.#by = by
    this.#before = before
    this.#after = after
    this.empty = before + after
  }

  get className(): string {
    return 'java.util.StringJoiner'
  }

  /** What has been joined, without what stands around it; undefined: nothing. */
  get inner(): string | undefined {
    return this.#joined
  }

  add(text: string, run: ScriptRun): this {
    this.#joined = run.allocateText(this.#joined === undefined ? text : this.#joined + this.#by + text)
    return this
  }

  override toText(): string {
    return this.#joined === undefined ? this.empty : this.#before + this.#joined + this.#after
  }
}

function joiner(by: ScriptValue, before: ScriptValue, after: ScriptValue): ScriptJoiner {
  const named = (value: ScriptValue, what: string): string => {
    if (value === null) throw fault('NullPointerException', `The ${what} must not be null`)
    return textOf(value)
  }
  return new ScriptJoiner(named(by, 'delimiter'), named(before, 'prefix'), named(after, 'suffix'))
}

const JOINER: ClassDefinition = {
  name: 'StringJoiner',
  javaName: 'java.util.StringJoiner',
  constructors: {
    '(CharSequence)': (by: ScriptValue) => joiner(by, '', ''),
    '(CharSequence,CharSequence,CharSequence)': joiner,
  },
  methods: {
    'StringJoiner add(CharSequence)': (self: ScriptJoiner, text: ScriptValue, run: ScriptRun) =>
      self.add(textOf(text), run),
    'int length()': (self: ScriptJoiner) => self.toText().length,
    'StringJoiner merge(StringJoiner)': (self: ScriptJoiner, other: ScriptJoiner, run: ScriptRun) =>
      other.inner === undefined ? self : self.add(other.inner, run),
    'StringJoiner setEmptyValue(CharSequence)': (self: ScriptJoiner, text: ScriptValue) => {
      self.empty = textOf(notNull(text))
      return self
    },
  },
}

/** Java's StringTokenizer. */
class ScriptTokenizer extends ScriptObject {
  readonly #text: string
  readonly #returnsMarks: boolean
  #marks: string
  #at = 0

  constructor(text: string, marks: string, returnsMarks: boolean) {
    super()
    this.#text = text
    this.#marks = marks
    this.#returnsMarks = returnsMarks
  }

  get className(): string {
    return 'java.util.StringTokenizer'
  }

  set marks(marks: string) {
    this.#marks = marks
  }

  /** Takes the next token away. @throws {ScriptFault} no_such_element_exception */
  next(): string {
    const from = this.#skipped(this.#at)
    if (from >= this.#text.length) throw fault('java.util.NoSuchElementException', null)
    this.#at = this.#end(from)
    return this.#text.slice(from, this.#at)
  }

  get hasMore(): boolean {
    return this.#skipped(this.#at) < this.#text.length
  }

  get count(): number {
    let count = 0
    for (let at = this.#skipped(this.#at); at < this.#text.length; at = this.#skipped(this.#end(at))) count++
    return count
  }

  #isMark(at: number): boolean {
    return this.#marks.includes(this.#text.charAt(at))
  }

  #skipped(from: number): number {
    let at = from
    if (!this.#returnsMarks) while (at < this.#text.length && this.#isMark(at)) at++
    return at
  }

  #end(from: number): number {
    let at = from
    while (at < this.#text.length && !this.#isMark(at)) at++
    return at === from ? at + 1 : at
  }
}

const BLANKS = ' \t\n\r\f'

const TOKENIZER: ClassDefinition = {
  name: 'StringTokenizer',
  javaName: 'java.util.StringTokenizer',
  constructors: {
    '(String)': (text: string) => new ScriptTokenizer(notNull(text), BLANKS, false),
    '(String,String)': (text: string, marks: string) => new ScriptTokenizer(notNull(text), marks, false),
    '(String,String,boolean)': (text: string, marks: string, returnsMarks: boolean) =>
      new ScriptTokenizer(notNull(text), marks, returnsMarks),
  },
  methods: {
    'int countTokens()': (self: ScriptTokenizer) => self.count,
    'boolean hasMoreTokens()': (self: ScriptTokenizer) => self.hasMore,
    'String nextToken()': (self: ScriptTokenizer) => self.next(),
    'String nextToken(String)': (self: ScriptTokenizer, marks: string) => {
      self.marks = marks
      return self.next()
    },
  },
}

type Alphabet = 'base64' | 'base64url'

/** Java's Base64.Encoder and Base64.Decoder. */
class ScriptBase64 extends ScriptObject {
  readonly className: string
  readonly alphabet: Alphabet
  readonly isPadded: boolean

  constructor(name: 'Encoder' | 'Decoder', alphabet: Alphabet, isPadded = true) {
    super()
    this.className = `java.util.Base64$${name}`
    this.alphabet = alphabet
    this.isPadded = isPadded
  }
}

function encoded({ alphabet, isPadded }: ScriptBase64, bytes: ScriptArray, run: ScriptRun): string {
  const text = Buffer.from(Uint8Array.from(bytes.items as number[])).toString(alphabet)
  const bare = text.replace(/=+$/, '')
  return run.allocateText(isPadded ? bare.padEnd(Math.ceil(bare.length / 4) * 4, '=') : bare)
}

function decoded({ alphabet }: ScriptBase64, text: string, run: ScriptRun): ScriptArray {
  checkBase64(Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1'), alphabet)
  run.allocate(text.length)
  return new ScriptArray('byte', [...new Int8Array(Buffer.from(text, alphabet))])
}

const BASE64: readonly ClassDefinition[] = [
  {
    name: 'Base64',
    javaName: 'java.util.Base64',
    statics: {
      'Base64.Decoder getDecoder()': () => new ScriptBase64('Decoder', 'base64'),
      'Base64.Encoder getEncoder()': () => new ScriptBase64('Encoder', 'base64'),
      'Base64.Decoder getUrlDecoder()': () => new ScriptBase64('Decoder', 'base64url'),
      'Base64.Encoder getUrlEncoder()': () => new ScriptBase64('Encoder', 'base64url'),
    },
  },
  {
    name: 'Base64.Encoder',
    javaName: 'java.util.Base64$Encoder',
    methods: {
      'String encodeToString(byte[])': encoded,
      'Base64.Encoder withoutPadding()': ({ alphabet }: ScriptBase64) => new ScriptBase64('Encoder', alphabet, false),
    },
  },
  {
    name: 'Base64.Decoder',
    javaName: 'java.util.Base64$Decoder',
    methods: { 'byte[] decode(String)': decoded },
  },
]

/** Java's Normalizer.Form. */
class NormalForm extends ScriptObject {
  readonly name: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

  constructor(name: NormalForm['name']) {
    super()
    this.name = name
  }

  get className(): string {
    return 'java.text.Normalizer$Form'
  }

  override toText(): string {
    return this.name
  }
}

const FORMS = (['NFD', 'NFC', 'NFKD', 'NFKC'] as const).map((name) => new NormalForm(name))

const NORMALIZER: readonly ClassDefinition[] = [
  {
    name: 'Normalizer',
    javaName: 'java.text.Normalizer',
    statics: {
      'boolean isNormalized(CharSequence,Normalizer.Form)': (text: ScriptValue, { name }: NormalForm) =>
        textOf(notNull(text)) === textOf(text).normalize(name),
      'String normalize(CharSequence,Normalizer.Form)': (text: ScriptValue, { name }: NormalForm, run: ScriptRun) =>
        run.allocateText(textOf(notNull(text)).normalize(name)),
    },
  },
  {
    name: 'Normalizer.Form',
    javaName: 'java.text.Normalizer$Form',
    statics: {
      'Normalizer.Form valueOf(String)': (text: string | null) =>
        enumConstant(FORMS, 'java.text.Normalizer.Form', text, ({ name }) => name),
      'Normalizer.Form[] values()': () => new ScriptArray('Normalizer.Form', [...FORMS]),
    },
    constants: Object.fromEntries(FORMS.map((form) => [`Normalizer.Form ${form.name}`, form])),
  },
]

/** What helps with texts, of `java.util` and `java.text`. */
export const TEXT_HELPER_CLASSES: readonly ClassDefinition[] = [JOINER, TOKENIZER, ...BASE64, ...NORMALIZER]
