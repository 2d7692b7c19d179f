// Asks a running server how it prints and reads dates by format: node record-printed-dates.mjs URL FILE
import { writeFileSync } from 'node:fs'

const [url, file] = process.argv.slice(2)
const call = async (method, path, body) => (await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()
const info = await (await fetch(url)).json()
const typed = info.version.number.startsWith('6.')
const index = `printed-${process.pid}`
const instants = [0, 1549190430123, 1549190430000, -1, -62135596800000, 253402300799999, 951782400000, 1230768000000, 1325289600000]
const names = ['date', 'date_hour', 'date_hour_minute', 'date_hour_minute_second', 'date_hour_minute_second_fraction', 'date_hour_minute_second_millis', 'date_time', 'date_time_no_millis', 'hour', 'hour_minute', 'hour_minute_second', 'hour_minute_second_fraction', 'ordinal_date', 'ordinal_date_time', 'ordinal_date_time_no_millis', 'time', 'time_no_millis', 't_time', 't_time_no_millis', 'week_date', 'week_date_time', 'week_date_time_no_millis', 'weekyear', 'weekyear_week', 'weekyear_week_day', 'year', 'year_month', 'year_month_day', 'date_optional_time']
const formats = [...names, ...names.filter((name) => typed || name !== 'week_year').map((name) => `strict_${name}`), 'basic_date', 'basic_date_time', 'basic_date_time_no_millis', 'basic_ordinal_date', 'basic_ordinal_date_time', 'basic_ordinal_date_time_no_millis', 'basic_time', 'basic_time_no_millis', 'basic_t_time', 'basic_t_time_no_millis', 'basic_week_date', 'basic_week_date_time', 'basic_week_date_time_no_millis', 'epoch_millis', 'epoch_second', 'dateOptionalTime', 'yyyy-MM-dd HH:mm:ss', 'yyyy/MM/dd', 'dd.MM.yy', 'EEE, dd MMM yyyy HH:mm:ss Z', 'EEEE MMMM d', 'h:mm a', 'hh:mm:ss.SSS a', 'K a', 'k', "yyyy-MM-dd'T'HH:mm:ssZZ", 'yyyyMMddHHmm', 'D', 'w e', "'day' d", 'yyyy-MM-dd z', 'G yyyy', 'yy', 'S', 'SS', 'SSSSSS', 'HH:mm||yyyy']
await call('PUT', `/${index}`, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: typed ? { _doc: { properties: { d: { type: 'date' } } } } : { properties: { d: { type: 'date' } } } })
for (const [id, d] of instants.entries()) await call('PUT', `/${index}/_doc/${id}?refresh=true`, { d })
const recorded = { server: `${info.version.distribution ?? 'elasticsearch'} ${info.version.number}`, instants, printed: {} }
for (const format of formats) {
  const json = await call('POST', `/${index}/_search`, { size: 100, _source: false, sort: ['_doc'], docvalue_fields: [{ field: 'd', format }] })
  if (json.error !== undefined) continue
  const texts = []
  for (const hit of json.hits.hits) texts[Number(hit._id)] = hit.fields.d[0]
  recorded.printed[format] = texts
}
await call('DELETE', `/${index}`)
writeFileSync(file, `${JSON.stringify(recorded, null, 1)}\n`)
