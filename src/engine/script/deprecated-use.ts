/** What a script does that servers warn of; the same object for the same warning. */
export interface DeprecatedUse {
  readonly name:
    | 'id_fielddata'
    | 'script_missing_value'
    | 'script_metric_doc'
    | 'script_metric_part'
    | 'script_metric_state'
    | 'script_values'
    | 'script_date'
    | 'script_dates'
    | 'script_joda_method'
    | 'script_weekday'
  /** What the warning is to name. */
  readonly words: readonly string[]
}

/** Told of each, every time that it is done. */
export type UseListener = (use: DeprecatedUse) => void
