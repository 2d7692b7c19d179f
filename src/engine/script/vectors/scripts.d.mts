/** Parameters of the recorded scripts. */
export declare const PARAMS: Readonly<Record<string, unknown>>
/** Scripts that a real server was asked about. */
export declare const SCRIPTS: readonly string[]
