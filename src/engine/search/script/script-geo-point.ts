import { javaDouble } from '../../java/java-number-text.ts'
import { ScriptObject } from '../../script/values/script-object.ts'

/** A point as scripts see it. */
export class ScriptGeoPoint extends ScriptObject {
  readonly lat: number
  readonly lon: number

  constructor(lat: number, lon: number) {
    super()
    this.lat = lat
    this.lon = lon
  }

  get className(): string {
    return 'org.elasticsearch.common.geo.GeoPoint'
  }

  override toText(): string {
    return `${javaDouble(this.lat)}, ${javaDouble(this.lon)}`
  }

  override isEqual(other: unknown): boolean {
    return other instanceof ScriptGeoPoint && other.lat === this.lat && other.lon === this.lon
  }

  override key(): unknown {
    return `\0G${this.toText()}`
  }
}
