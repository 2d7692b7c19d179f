import { drop, fail, foreach, pipeline } from './control-processors.ts'
import { convert } from './convert-processor.ts'
import { copy } from './copy-processor.ts'
import { csv } from './csv-processor.ts'
import { dateIndexName } from './date-index-name-processor.ts'
import { date } from './date-processor.ts'
import { dissect } from './dissect/dissect-processor.ts'
import { append, dotExpander, remove, rename, set } from './field-processors.ts'
import { fingerprint } from './fingerprint-processor.ts'
import { geoip } from './geoip/geoip-processor.ts'
import { grok } from './grok/grok-processor.ts'
import { json } from './json-processor.ts'
import { kv } from './kv-processor.ts'
import { communityId } from './network/community-id-processor.ts'
import type { ProcessorFactory } from './processor.ts'
import { removeByPattern } from './remove-by-pattern-processor.ts'
import { script } from './script-processor.ts'
import { sort } from './sort-processor.ts'
import { bytes, gsub, htmlStrip, join, lowercase, split, trim, uppercase, urlDecode } from './text-processors.ts'
import { userAgent } from './user-agent/user-agent-processor.ts'

/** Processors by the names pipelines give them. */
export const PROCESSORS: Readonly<Record<string, ProcessorFactory>> = {
  append,
  bytes,
  community_id: communityId,
  convert,
  copy,
  csv,
  date,
  date_index_name: dateIndexName,
  dissect,
  dot_expander: dotExpander,
  drop,
  fail,
  fingerprint,
  foreach,
  geoip,
  grok,
  gsub,
  html_strip: htmlStrip,
  join,
  json,
  kv,
  lowercase,
  pipeline,
  remove,
  remove_by_pattern: removeByPattern,
  rename,
  script,
  set,
  sort,
  split,
  trim,
  uppercase,
  urldecode: urlDecode,
  user_agent: userAgent,
}
