import { javaDouble } from '../../java/java-number-text.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptValue } from '../values/script-value.ts'

/** How Java counts each kind of numbers: what there is before any, and sums. */
const KINDS = {
  Int: { type: 'int', sum: 'long', least: -(2 ** 31), most: 2 ** 31 - 1 },
  Long: { type: 'long', sum: 'long', least: -(2n ** 63n), most: 2n ** 63n - 1n },
  Double: { type: 'double', sum: 'double', least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
} as const

/** Kinds of numbers that are summed up. */
export type SummaryKind = keyof typeof KINDS

/** Java's `IntSummaryStatistics` and its kin. */
export class ScriptSummary extends ScriptObject {
  readonly #kind: SummaryKind
  count = 0n
  min: number | bigint
  max: number | bigint
  #sum = 0n
  /** Kahan's sum and what it has lost, as Java has it. */
  #doubles = 0
  #lost = 0
  #plain = 0

  constructor(kind: SummaryKind) {
    super()
    this.#kind = kind
    this.min = KINDS[kind].most
    this.max = KINDS[kind].least
  }

  get className(): string {
    return `java.util.${this.#kind}SummaryStatistics`
  }

  accept(value: number | bigint): void {
    this.count++
    if (value < this.min || Number.isNaN(value)) this.min = value
    if (value > this.max || Number.isNaN(value)) this.max = value
    if (this.#kind !== 'Double') this.#sum = BigInt.asIntN(64, this.#sum + BigInt(value))
    else {
      this.#plain += value as number
      this.#add(value as number)
    }
  }

  combine(other: ScriptSummary): void {
    this.count += other.count
    if (other.min < this.min) this.min = other.min
    if (other.max > this.max) this.max = other.max
    this.#sum = BigInt.asIntN(64, this.#sum + other.#sum)
    this.#plain += other.#plain
    this.#add(other.#doubles)
    this.#add(-other.#lost)
  }

  #add(value: number): void {
    const rest = value - this.#lost
    const sum = this.#doubles + rest
    this.#lost = sum - this.#doubles - rest
    this.#doubles = sum
  }

  get sum(): number | bigint {
    if (this.#kind !== 'Double') return this.#sum
    const sum = this.#doubles - this.#lost
    return Number.isNaN(sum) && !Number.isFinite(this.#plain) ? this.#plain : sum
  }

  get average(): number {
    return this.count === 0n ? 0 : Number(this.sum) / Number(this.count)
  }

  override toText(): string {
    const shown = (value: number | bigint): string => (this.#kind === 'Double' ? six(value as number) : String(value))
    const { count, min, max, sum, average } = this
    return `${this.#kind}SummaryStatistics{count=${count}, sum=${shown(sum)}, min=${shown(min)}, average=${six(average)}, max=${shown(max)}}`
  }
}

/** What all values amount to. @param read  their numbers */
export function summed(
  kind: SummaryKind,
  values: Iterable<ScriptValue>,
  read: (value: ScriptValue) => number | bigint,
): ScriptSummary {
  const summary = new ScriptSummary(kind)
  for (const value of values) summary.accept(read(value))
  return summary
}

/** A number with six digits behind its point, as `%f` has it. */
function six(value: number): string {
  return Number.isFinite(value) ? value.toFixed(6) : javaDouble(value)
}

/** A kind's class. */
function summaryClass(kind: SummaryKind): ClassDefinition {
  const { type, sum } = KINDS[kind]
  const name = `${kind}SummaryStatistics`
  return {
    name,
    javaName: `java.util.${name}`,
    constructors: { '()': () => new ScriptSummary(kind) },
    methods: {
      [`void accept(${type})`]: (self: ScriptSummary, value: number | bigint) => self.accept(value),
      [`void combine(${name})`]: (self: ScriptSummary, other: ScriptSummary) => self.combine(other),
      'double getAverage()': (self: ScriptSummary) => self.average,
      'long getCount()': (self: ScriptSummary) => self.count,
      [`${type} getMax()`]: (self: ScriptSummary) => self.max,
      [`${type} getMin()`]: (self: ScriptSummary) => self.min,
      [`${sum} getSum()`]: (self: ScriptSummary) => self.sum,
    },
  }
}

/** `java.util.IntSummaryStatistics` and its kin. */
export const SUMMARY_CLASSES: readonly ClassDefinition[] = (['Int', 'Long', 'Double'] as const).map(summaryClass)
