import { drop, fail, foreach, pipeline } from './control-processors.ts'
import { convert } from './convert-processor.ts'
import { dateIndexName } from './date-index-name-processor.ts'
import { date } from './date-processor.ts'
import { dissect } from './dissect/dissect-processor.ts'
import { append, dotExpander, remove, rename, set } from './field-processors.ts'
import { grok } from './grok/grok-processor.ts'
import { json } from './json-processor.ts'
import { kv } from './kv-processor.ts'
import type { ProcessorFactory } from './processor.ts'
import { script } from './script-processor.ts'
import { sort } from './sort-processor.ts'
import { bytes, gsub, join, lowercase, split, trim, uppercase, urlDecode } from './text-processors.ts'

/** Processors by the names pipelines give them. */
export const PROCESSORS: Readonly<Record<string, ProcessorFactory>> = {
  append,
  bytes,
  convert,
  date,
  date_index_name: dateIndexName,
  dissect,
  dot_expander: dotExpander,
  drop,
  fail,
  foreach,
  grok,
  gsub,
  join,
  json,
  kv,
  lowercase,
  pipeline,
  remove,
  rename,
  script,
  set,
  sort,
  split,
  trim,
  uppercase,
  urldecode: urlDecode,
}
