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
  /** {@link parse} down to nanoseconds since 1970; what is filled upward ends in 999 999 999. */
  parseNanos(text: string, options?: { readonly timeZone?: string; readonly roundUp?: boolean }): bigint
  /** Text of an instant in the first pattern. */
  format(epochMillis: number, timeZone?: string): string
  /** Another pattern in the same version and locale. @throws {ServiceError} where it does not compile */
  like(pattern: string): DateFormat
  /** {@link format} of nanoseconds since 1970. */
  formatNanos(epochNanos: bigint, timeZone?: string): string
}
