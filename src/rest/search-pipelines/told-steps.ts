import { writeUpdated } from '../../engine/index/update-source.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { type Json, RawJson } from '../json/json-writer.ts'
import type { PipedHit, PipedRequest } from './processor.ts'
import type { Step } from './search-pipeline.ts'

/** What each processor of a pipeline was given and what it made of it (`verbose_pipeline`), in the order they ran. */
export class ToldSteps {
  readonly results: Json[] = []

  /** Takes something through processors. One that fails is told of and passed over, whatever its configuration says of that. */
  through<T, P>(given: T, steps: readonly Step<P>[], run: (process: P, value: T) => T, show: (value: T) => Json): T {
    let value = given
    for (const { process, type, tag } of steps) {
      const input = show(value)
      const started = performance.now()
      let failure: ServiceError | undefined
      try {
        value = run(process, value)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        failure = error
      }
      this.results.push({
        processor_name: type,
        ...(tag === undefined ? {} : { tag }),
        // The real server tells nanoseconds by this name.
        duration_millis: Math.round((performance.now() - started) * 1e6),
        status: failure === undefined ? 'success' : 'fail',
        ...(failure === undefined ? {} : { error: failure.reason }),
        input_data: input,
        output_data: failure === undefined ? show(value) : null,
      })
    }
    return value
  }
}

/** Hits as they are at a moment: processors change them where they stand. */
export const shownHits = (hits: readonly PipedHit[]): Json =>
  new RawJson(
    Buffer.concat([
      Buffer.from('['),
      ...hits.flatMap((hit, i) => [Buffer.from(i === 0 ? '' : ','), writeUpdated(hit)]),
      Buffer.from(']'),
    ]),
  )

/** A search as its body would say it: what was asked, with the query and the size that it has now. */
export function shownSearch(asked: { readonly [name: string]: JsonValue }): (request: PipedRequest) => Json {
  const { aggs, aggregations = aggs, query: _, sort, _source: source, search_pipeline: pipeline, ...others } = asked
  const base = {
    ...others,
    ...(isObject(pipeline) ? { search_pipeline: {} } : {}),
    ...(aggregations === undefined ? {} : { aggregations }),
    ...(sort === undefined ? {} : { sort: [sort].flat().map(fullSort) }),
    ...(source === undefined ? {} : { _source: fullSource(source) }),
    verbose_pipeline: true,
  } as { readonly [name: string]: Json }
  return ({ size, members, told }) => {
    const { from = -1 } = members
    return {
      ...base,
      ...(size < 0 ? {} : { size }),
      ...(from < 0 ? {} : { from }),
      ...(told?.json === undefined ? {} : { query: told.json }),
    }
  }
}

const fullSort = (key: JsonValue): JsonValue =>
  typeof key === 'string'
    ? { [key]: { order: key === '_score' ? 'desc' : 'asc' } }
    : isObject(key)
      ? Object.fromEntries(
          Object.entries(key).map(([field, order]) => [field, typeof order === 'string' ? { order } : order]),
        )
      : key

const fullSource = (source: JsonValue): JsonValue =>
  typeof source === 'string' || Array.isArray(source) ? { includes: [source].flat(), excludes: [] } : source
