import type { EndpointHandler } from '../endpoint-handler.ts'

/** `HEAD /`. */
export const ping: EndpointHandler = () => ({
  status: 200,
  text: '',
  headers: { 'content-type': 'application/json; charset=UTF-8' },
})
