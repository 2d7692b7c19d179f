// Loaded into a domain by `--import`: its wall clock is ahead by the milliseconds that the file CHAJA_CLOCK names says. What was read is
// written to a file beside it.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const RealDate = Date
const file = process.env.CHAJA_CLOCK
let ahead = 0
let text = ''
const read = () => {
  const found = readFileSync(file, 'utf8')
  if (found === '' || found === text) return
  text = found
  ahead = Number(text)
  if (isMainThread) writeFileSync(`${file}.read`, text)
}
read()
setInterval(read, 5).unref()

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead)
    else super(...given)
  }

  static now() {
    return RealDate.now() + ahead
  }
}
