/** A date format of a mapping or a query: one pattern or several joined by `||`. */
export interface DateFormat {
  /** As written: `strict_date_optional_time||epoch_millis`. */
  readonly pattern: string
  /**
   * Milliseconds since 1970 of a text.
   *
   * @param roundUp  missing parts are filled upward (end of the day, …), as range queries with `lte` and `gt` do
   * @throws {ServiceError} parse_exception when no pattern fits
   */
  parse(text: string, options?: { readonly timeZone?: string; readonly roundUp?: boolean }): number
  /** Text of an instant in the first pattern. */
  format(epochMillis: number, timeZone?: string): string
}
