/** The values of a setting that is a list: given as one, or as a text with commas. */
export function listedValues(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? given.split(',').filter(Boolean) : given
}
