/** What a mapping or a search says of a derived field. */
export interface DerivedField {
  /** Of its values; `object`: JSON texts, whose members are fields. */
  readonly type: string
  /** As mappings show it; undefined: none was given. */
  readonly script: Readonly<Record<string, unknown>> | undefined
  /** Types of an object's members by their path in it. */
  readonly properties: Readonly<Record<string, string>>
  /** A field of texts that is asked first; empty: none. */
  readonly prefilterField: string
  /** Of dates that are shown; empty: the usual one. */
  readonly format: string
  readonly ignoreMalformed: boolean
  /** The member of an object that it is; undefined: the value as a whole. */
  readonly part?: string
  /** True: no mapping has it, but a search, or it is a member of an object: scripts do not see it. */
  readonly isOfSearch?: true
  /** True: settings say that it is not to be searched. */
  readonly isOff?: true
}
