// What of an error's answer is compared: the fault itself and what caused it, without what only a JVM can say.

/** A line of a Java stack trace. */
const FRAME = /^[\w.$/@<>]+\(\w+\.java(?::\d+)?\)$|^[\w.$/@<>]+\((?:Native Method|Unknown Source|<generated>)\)$/

export function chainOf(error) {
  const chain = []
  const start = error.type === 'search_phase_execution_exception' ? (error.failed_shards[0]?.reason ?? error.caused_by) : error
  for (let at = start; at !== undefined; at = at.caused_by) {
    const { type, script_stack: stack } = at
    chain.push({ type, reason: plain(type, at.reason), ...(stack === undefined ? {} : { stack: stack.filter((line) => !FRAME.test(line)) }) })
  }
  return chain
}

function plain(type, reason) {
  if (reason === null || type === 'null_pointer_exception') return null
  return reason
    .replace(/\[\d+:\d+\] /g, '')
    .replace(/ \(\S+ and \S+ are in .*\)$/, '')
    .replace(/^failed to create query: .*$/s, 'failed to create query')
}
