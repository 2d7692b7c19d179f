/** A denial of the access layer, which only `http/` renders: it is neither an error of the API's nor a fault. */
export function isDenial(error: unknown): boolean {
  return error instanceof Error && error.name === 'AccessDenial'
}

/** Whether something is judged without a denial. */
export function isAllowed(judge: () => void): boolean {
  try {
    judge()
    return true
  } catch (error) {
    if (isDenial(error)) return false
    throw error
  }
}
