/** Parameters that are of a search's body, or the template's own: the template's word counts alone. */
const PASSED_OVER: ReadonlySet<string> = new Set(
  [
    'source source_content_type explain profile from size sort version seq_no_primary_term terminate_after timeout stats',
    '_source _source_include _source_includes _source_exclude _source_excludes stored_fields docvalue_fields',
    'track_scores track_total_hits q df analyzer analyze_wildcard default_operator lenient',
    'suggest_field suggest_text suggest_mode suggest_size',
  ].flatMap((names) => names.split(' ')),
)

/** The parameters of a search template's request that count for the search it makes. */
export function searchParameters(values: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...values].filter(([name]) => !PASSED_OVER.has(name)))
}
