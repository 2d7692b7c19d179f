/** Settings that say nothing of how documents are inverted; any other may. */
const OF_SOMETHING_ELSE =
  /^index\.(?:uuid|creation_date|provided_name|version\..*|number_of_replicas|auto_expand_replicas|refresh_interval|blocks\..*|routing\..*|search\..*|translog\..*|lifecycle\..*|default_pipeline|final_pipeline|max_result_window|verified_before_close)$/

/** Whether a setting of an index may have a say in what its documents are inverted into. */
export function isOfInverting(key: string): boolean {
  return !OF_SOMETHING_ELSE.test(key)
}
