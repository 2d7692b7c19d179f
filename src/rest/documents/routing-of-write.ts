/** What a write is routed by: an empty text is none at all. */
export function routingOfWrite(given: string | undefined): string | undefined {
  return given === '' ? undefined : given
}
