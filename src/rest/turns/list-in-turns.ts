import { inTurns } from '../../breather.ts'
import { encodeJson, type Json, RawJson } from '../json/json-writer.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'

/** Units of elements that are gathered before they are made bytes. */
const PIECE = 64 * 1024

/**
 * A list in an answer that may be long: its elements are made one by one, and other requests served in between. They are
 * written at once, a fifth of the room that objects take, unless something takes the answer apart again.
 */
export async function listInTurns<T>(
  items: Iterable<T>,
  parameters: RequestParameters,
  render: (item: T) => Json,
): Promise<Json> {
  const asObjects = isTakenApart(parameters)
  const elements: Json[] = []
  const list = new ListText()
  await inTurns(items, (item) => {
    const element = render(item)
    if (asObjects) elements.push(element)
    else list.add(encodeJson(element))
  })
  return asObjects ? elements : list.finish()
}

/** Whether something takes an answer apart again before it is sent. */
export function isTakenApart(parameters: RequestParameters): boolean {
  return parameters.has('filter_path') || parameters.has('pretty')
}

/** A list's text, in pieces of about the same size. */
class ListText {
  readonly #pieces: (string | Buffer)[] = []
  #part: (string | Buffer)[] = []
  #text = '['
  #size = 0
  #isEmpty = true

  add(element: string | Buffer): void {
    if (!this.#isEmpty) this.#text += ','
    this.#isEmpty = false
    if (typeof element === 'string') this.#text += element
    else {
      this.#part.push(this.#text, element)
      this.#text = ''
    }
    this.#size += element.length
    if (this.#size > PIECE) this.#cut()
  }

  finish(): RawJson {
    this.#text += ']'
    this.#cut()
    return new RawJson(...this.#pieces)
  }

  #cut(): void {
    const part = encodeJson(new RawJson(...this.#part, this.#text))
    // Bytes: a text put together keeps all its parts, four times its size.
    this.#pieces.push(this.#pieces.length === 0 || typeof part !== 'string' ? part : Buffer.from(part))
    this.#part = []
    this.#text = ''
    this.#size = 0
  }
}
