/** The legacy client has no types of its own; the test talks to it untyped. */
declare module 'elasticsearch' {
  const elasticsearch: { readonly Client: new (options: object) => unknown }
  export = elasticsearch
}
