import type { Expression } from '../parse/ast.ts'
import { LATER_OPERATORS } from '../parse/later-words.ts'
import { isDecimal } from './node-text.ts'

/** What 7.x and later say of an expression that is assigned to and cannot be. */
export function unassignable(target: Expression): string {
  // Left out by the real server, too.
  const colon = target.kind === 'new' ? '' : ':'
  return `invalid assignment${colon} cannot assign a value to ${described(target)}`
}

function described(target: Expression): string {
  switch (target.kind) {
    case 'null':
      return 'null constant'
    case 'boolean':
      return `boolean constant [${target.value}]`
    case 'number':
      return `${isDecimal(target.text) ? 'decimal' : 'numeric'} constant [${target.text}]`
    case 'string':
      return `string constant [${target.value}]`
    case 'regex': {
      const end = target.text.lastIndexOf('/')
      return `regex constant [${target.text.slice(1, end)}] with flags [${target.text.slice(end + 1)}]`
    }
    case 'unary':
    case 'binary':
    case 'logic':
    case 'compare':
    case 'match':
      return `${LATER_OPERATORS[target.op] ?? target.op} operation [${target.op}]`
    case 'conditional':
      return 'conditional operation [?:]'
    case 'elvis':
      return 'elvis operation [?:]'
    case 'cast':
      return `an explicit cast with target type [${target.type}]`
    case 'instanceof':
      return `instanceof with target type [${target.type}]`
    case 'list':
      return 'list initializer'
    case 'map':
      return 'map initializer'
    case 'newArray':
    case 'arrayItems':
      return 'new array'
    case 'new':
      return `new object with constructor [${target.type}/${target.args.length}]`
    case 'localCall':
      return `function call [${target.name}/${target.args.length}]`
    case 'call':
      return `method call [${target.name}/${target.args.length}]`
    case 'type':
      return `static type [${target.type}]`
    default:
      return 'an assignment'
  }
}
