/** How shapes are read where no field says it. */
export function defaultReading(isVersion6) {
  return { isVersion6, isRight: true, coerce: !isVersion6, ignoreZ: true }
}
