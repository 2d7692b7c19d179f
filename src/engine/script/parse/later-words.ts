/** What 6.8 says of a script's text, and what later versions say instead. */
const WORDS: readonly (readonly [earlier: RegExp, later: string])[] = [
  [/^Variable \[(.*)\] is not defined\.$/, 'cannot resolve symbol [$1]'],
  [/^Variable \[(.*)\] is already defined\.$/, 'variable [$1] is already defined'],
  [/^method \[(.*)\] not found$/, 'member method [$1] not found'],
  [/^Duplicate functions with name \[(.*)\]\.$/, 'invalid function definition: found duplicate function [$1].'],
  [/^Unreachable statement\.$/, 'invalid block: unreachable statement'],
  [/^Break statement outside of a loop\.$/, 'invalid break statement: not inside loop'],
  [/^Continue statement outside of a loop\.$/, 'invalid continue statement: not inside loop'],
  [/^For loop has no escape\.$/, 'no paths escape from for loop'],
  [/^While loop has no escape\.$/, 'no paths escape from while loop'],
  [/^Do while loop has no escape\.$/, 'no paths escape from do-while loop'],
  [/^Extraneous do while loop\.$/, 'extraneous do-while loop'],
  [/^Extraneous (for|foreach|while) loop\.$/, 'extraneous $1 loop'],
  [/^Extraneous if statement\.$/, 'extraneous if block'],
  [/^Extraneous else statement\.$/, 'extraneous else block.'],
  [/^Extraneous try statement\.$/, 'extraneous try statement'],
  [/^Extraneous comparison of null constants\.$/, 'extraneous comparison of [null] constants'],
  [/^Illegal for each type \[(.*)\]\.$/, 'invalid foreach loop: cannot iterate over type [$1].'],
  [
    /^Cannot write to read-only field \[(.*)\] for type \[.*\]\.$/,
    'invalid assignment: cannot assign a value to read-only field [$1]',
  ],
  [
    /^Cannot write to read-only field \[length\]\.$/,
    'invalid assignment: cannot assign a value write to read-only field [length] for an array.',
  ],
]

/** Operators as later versions call them. */
export const LATER_OPERATORS: Readonly<Record<string, string>> = {
  '*': 'multiplication',
  '/': 'division',
  '%': 'remainder',
  '+': 'addition',
  '-': 'subtraction',
  '=~': 'find',
  '==~': 'match',
  '<<': 'left shift',
  '>>': 'right shift',
  '>>>': 'unsigned shift',
  '&': 'bitwise and',
  '^': 'bitwise xor',
  '|': 'bitwise or',
  '~': 'bitwise not',
  '!': 'boolean not',
  '&&': 'boolean and',
  '||': 'boolean or',
  '<': 'less than',
  '<=': 'less than or equals',
  '>': 'greater than',
  '>=': 'greater than or equals',
  '==': 'equals',
  '===': 'reference equals',
  '!=': 'not equals',
  '!==': 'reference not equals',
}

/** A compiler's complaint in the words of 7.x and later; what has no other words stays. */
export function laterWords(reason: string): string {
  const applied = /^Cannot apply .* \[(.+)\] to type(?:s \[(.*)\] and \[(.*)\]| \[(?:class )?(.*)\])\.$/.exec(reason)
  if (applied !== null) {
    const [, operator = '', left, right, only] = applied
    const types = only === undefined ? `types [${left}] and [${right}]` : `type [${only}]`
    return `cannot apply the ${LATER_OPERATORS[operator] ?? operator} operator [${operator}] to the ${types}`
  }
  for (const [earlier, later] of WORDS) {
    if (earlier.test(reason)) return reason.replace(earlier, later)
  }
  return reason
}
