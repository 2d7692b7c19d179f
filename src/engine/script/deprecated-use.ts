/** What a script or a query comes to that servers warn of; of a script the same object for the same warning. */
export interface DeprecatedUse {
  readonly name:
    | 'id_fielddata'
    | 'phrase_of_values'
    | 'phrase_prefix_of_values'
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
