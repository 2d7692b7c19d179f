import { type ErrorType, ServiceError } from '../../errors.ts'
import { JAVA_ERROR_CLASSES } from '../errors/detailed-message.ts'

/** What goes wrong in a processor, with the Java class whose name the real server's messages carry. */
export class IngestFault extends Error {
  readonly type: ErrorType
  readonly javaClass: string
  readonly inner: ServiceError | undefined

  constructor(reason: string, kind: keyof typeof JAVA_CLASSES = 'illegal_argument_exception', inner?: ServiceError) {
    super(reason)
    this.type = kind
    this.javaClass = JAVA_CLASSES[kind]
    this.inner = inner
  }

  /** The fault as Java's `toString` writes it. */
  get text(): string {
    if (this.type === 'parse_exception') return `${this.javaClass}[${this.message}]`
    return this.type === 'null_pointer_exception' && this.message === 'null'
      ? this.javaClass
      : `${this.javaClass}: ${this.message}`
  }

  /** What is said of the innermost fault, which processors for failures are told. */
  get rootMessage(): string {
    let { inner } = this
    for (let next = inner; next !== undefined; next = next.detail.cause) inner = next
    return inner?.reason ?? this.message
  }

  /** The fault itself, as `verbose` simulations show it. */
  get plain(): ServiceError {
    return new ServiceError(this.type, this.message, this.inner === undefined ? {} : { cause: this.inner })
  }
}

const JAVA_CLASSES = {
  ...JAVA_ERROR_CLASSES,
  find_match: 'org.elasticsearch.dissect.DissectException$FindMatch',
  parse_exception: 'ElasticsearchParseException',
  fail_processor_exception: 'org.elasticsearch.ingest.common.FailProcessorException',
} as const satisfies Partial<Record<ErrorType, string>>

/** What goes wrong in a script of a pipeline. */
export class ScriptIngestFault extends IngestFault {
  readonly #error: ServiceError

  constructor(error: ServiceError) {
    super(String(rootOf(error).reason))
    this.#error = error
  }

  override get text(): string {
    const { type, reason } = this.#error
    if (type === 'illegal_argument_exception') return `java.lang.IllegalArgumentException: ${reason}`
    let text = shown(this.#error)
    for (let { cause } = this.#error.detail; cause !== undefined; cause = cause.detail.cause) {
      text += `; nested: ${shown(cause)}`
    }
    return text === shown(this.#error) ? text : `${text};`
  }

  override get plain(): ServiceError {
    return this.#error
  }
}

function rootOf(error: ServiceError): ServiceError {
  const { cause } = error.detail
  return cause === undefined ? error : rootOf(cause)
}

/** `NullPointerException[reason]`. */
function shown({ type, reason }: ServiceError): string {
  const name = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return reason === null || reason === undefined ? name : `${name}[${reason}]`
}

/** A fault of a processor as the caller of a write is told of it: wrapped twice, with the processor's type and tag. */
export function processorError(
  fault: IngestFault,
  processor: { readonly type: string; readonly tag: string | undefined },
): ServiceError {
  const { text } = fault
  const metadata = {
    header: {
      processor_type: processor.type,
      ...(processor.tag === undefined ? {} : { processor_tag: processor.tag }),
    },
  }
  const cause = new ServiceError('illegal_argument_exception', text, { cause: fault.plain })
  return new ServiceError('exception', `java.lang.IllegalArgumentException: ${text}`, { cause, metadata })
}
