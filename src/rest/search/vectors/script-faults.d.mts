/** An error's own fault and what caused it, outermost first. */
export declare function chainOf(error: object): { readonly stack?: readonly string[] }[]
