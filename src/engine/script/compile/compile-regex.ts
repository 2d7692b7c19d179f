import { ServiceError } from '../../../errors.ts'
import type { Expression } from '../parse/ast.ts'
import { CompileFault, fault } from '../script-fault.ts'
import { ScriptPattern } from '../values/script-pattern.ts'
import type { Compiler } from './compiler.ts'
import type { Scope } from './scope.ts'
import type { Typed } from './typed.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

const DISABLED =
  'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in elasticsearch.yaml to allow them. ' +
  "Be careful though, regexes break out of Painless's protection against deep recursion and long loops."

/** `/a+/i`. @throws {CompileFault} in 6.8, where the setting that allows them is off */
export function compileRegex({ isLater }: Compiler, { at, text }: Node<'regex'>): Typed {
  if (!isLater) throw new CompileFault(at, 'illegal_state_exception', DISABLED)
  const end = text.lastIndexOf('/')
  const [source, flags] = [text.slice(1, end), text.slice(end + 1)]
  try {
    const pattern = new ScriptPattern(source, flags)
    return { type: 'Pattern', at, evaluate: () => pattern }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = `invalid regular expression: could not compile regex constant [${source}] with flags [${flags}]`
    throw new CompileFault(at + 1, 'illegal_argument_exception', reason, error.type)
  }
}

/** `text =~ /a/` (somewhere in it), `text ==~ /a/` (all of it). @throws {CompileFault} */
export function compileMatch(compiler: Compiler, { at, op, left, right }: Node<'match'>, scope: Scope): Typed {
  if (!compiler.isLater) {
    compiler.expression(left, scope)
    compiler.expression(right, scope)
    throw new CompileFault(at, 'illegal_state_exception', DISABLED)
  }
  const text = compiler.cast(left, scope, 'String').evaluate
  const pattern = compiler.cast(right, scope, 'Pattern').evaluate
  const isWhole = op === '==~'
  return {
    type: 'boolean',
    at,
    evaluate: (frame) => {
      const value = text(frame) as string | null
      const made = pattern(frame) as ScriptPattern | null
      frame.run.at = at
      if (value === null || made === null) throw fault('NullPointerException', null)
      const matcher = made.matcher(value)
      return isWhole ? matcher.matches(frame.run) : matcher.find(frame.run)
    },
  }
}
