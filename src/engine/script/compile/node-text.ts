import type { Expression } from '../parse/ast.ts'

/** What the real server calls its classes of expressions. */
const NODES: Readonly<Record<Expression['kind'], string>> = {
  null: 'ENull',
  boolean: 'EBooleanConstant',
  number: 'ENumeric',
  string: 'EString',
  regex: 'ERegex',
  variable: 'ESymbol',
  type: 'ESymbol',
  field: 'EDot',
  call: 'ECall',
  index: 'EBrace',
  localCall: 'ECallLocal',
  new: 'ENewObj',
  newArray: 'ENewArray',
  arrayItems: 'ENewArray',
  list: 'EListInit',
  map: 'EMapInit',
  unary: 'EUnary',
  binary: 'EBinary',
  logic: 'EBooleanComp',
  compare: 'EComp',
  match: 'EBinary',
  instanceof: 'EInstanceof',
  conditional: 'EConditional',
  elvis: 'EElvis',
  assign: 'EAssignment',
  increment: 'EAssignment',
  cast: 'EExplicit',
  lambda: 'ELambda',
  functionRef: 'EFunctionRef',
}

/** An expression as Java prints the object that it is in 7.x: its class, and a number that tells it from others. */
export function nodeText(node: Expression): string {
  const name = node.kind === 'number' && isDecimal(node.text) ? 'EDecimal' : NODES[node.kind]
  return `org.elasticsearch.painless.node.${name}@${hashOf(node)}`
}

/** Whether the grammar reads a number as one with a point or an exponent. */
export const isDecimal = (text: string): boolean => !/^0[xX]|^[^.eE]*$/.test(text)

const hashOf = ({ kind, at }: Expression): string => ((at + 1) * 0x9e3779b1 + kind.length).toString(16).slice(-8)
