/** A pattern that cannot be read; the message is Oniguruma's. */
export class PatternSyntaxError extends Error {}
