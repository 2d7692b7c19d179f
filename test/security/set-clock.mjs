// Loaded into a domain by `--import`: its wall clock is ahead by the milliseconds that the file CHAJA_CLOCK names says.
import { readFileSync } from 'node:fs'

const RealDate = Date
const file = process.env.CHAJA_CLOCK
let ahead = 0
const read = () => {
  ahead = Number(readFileSync(file, 'utf8')) || 0
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
