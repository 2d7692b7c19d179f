import { parseByteSize } from '../../engine/metadata/byte-size-value.ts'
import { DIGESTED_STRING } from '../../engine/script/api/text-classes.ts'
import type { ScriptContext } from '../../engine/script/script-context.ts'
import { fault } from '../../engine/script/script-fault.ts'
import type { ScriptRun } from '../../engine/script/script-run.ts'
import { TIME_CLASSES } from '../../engine/script/time/time-classes.ts'
import type { ClassDefinition } from '../../engine/script/values/script-class.ts'
import { jsonOfScript, scriptValueOf } from '../../engine/script/values/script-json.ts'
import type { ScriptMap } from '../../engine/script/values/script-map.ts'
import type { ScriptValue } from '../../engine/script/values/script-value.ts'
import { ServiceError } from '../../errors.ts'
import { isMap, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { jsonIn } from './json-processor.ts'
import { decodeUrl } from './text-processors.ts'

/** A text that a processor was given; none is met where Java calls a method of it. */
function given(text: string | null, call: string, variable: string): string {
  if (text !== null) return text
  throw fault('NullPointerException', `Cannot invoke "${call}" because "${variable}" is null`)
}

/** What a processor makes of something, its faults as those of the script. */
function made<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof IngestFault) throw fault('IllegalArgumentException', error.message)
    if (!(error instanceof ServiceError)) throw error
    throw fault('org.elasticsearch.ElasticsearchParseException', error.reason)
  }
}

const readJson = (value: ScriptValue): Value => made(() => jsonIn(jsonOfScript(value) as Value, false))

/** What scripts of pipelines may do that processors do. */
const PROCESSORS: ClassDefinition = {
  name: 'Processors',
  javaName: 'org.elasticsearch.ingest.common.Processors',
  statics: {
    'long bytes(String)': (text: string | null) =>
      BigInt(
        made(() =>
          parseByteSize(
            given(text, 'String.toLowerCase(java.util.Locale)', 'sValue'),
            'Ingest Field',
            'Elasticsearch_7.10',
          ),
        ),
      ),
    'String lowercase(String)': (text: string | null, run: ScriptRun) =>
      run.allocateText(given(text, 'String.toLowerCase(java.util.Locale)', 'value').toLowerCase()),
    'String uppercase(String)': (text: string | null, run: ScriptRun) =>
      run.allocateText(given(text, 'String.toUpperCase(java.util.Locale)', 'value').toUpperCase()),
    'String urlDecode(String)': (text: string | null, run: ScriptRun) =>
      run.allocateText(made(() => decodeUrl(given(text, 'String.length()', 's')))),
    'Object json(Object)': (value: ScriptValue) => scriptValueOf(readJson(value)),
    'void json(Map,String)': (map: ScriptMap, field: string) => {
      const read = readJson(map.get(field))
      if (!isMap(read)) throw fault('IllegalArgumentException', 'cannot add non-map fields to root of document')
      for (const [name, member] of Object.entries(read)) map.put(name, scriptValueOf(member))
    },
  },
}

/** Processors `script` of pipelines. */
export const INGEST_CONTEXT: ScriptContext = {
  name: 'ingest',
  argumentCount: 1,
  variables: { params: 'Map', ctx: 'Map' },
  returns: 'void',
  classes: [...TIME_CLASSES, PROCESSORS],
  openSearchClasses: [DIGESTED_STRING],
}
