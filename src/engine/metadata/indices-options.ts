import { illegalArgument } from '../../illegal-argument.ts'
import { notABoolean } from '../../parse-boolean.ts'

/** How an expression that names indices is to be read. */
export interface IndicesOptions {
  /** Names that lead nowhere, and closed indices where those are forbidden, are passed over. */
  readonly ignoreUnavailable: boolean
  /** Wildcards and single names may lead to nothing. */
  readonly allowNoIndices: boolean
  readonly expandWildcardsOpen: boolean
  readonly expandWildcardsClosed: boolean
  /** Whether wildcards and `_all` mean what is hidden (`index.hidden`, `is_hidden`), too. */
  readonly expandWildcardsHidden: boolean
  /** False: an alias of several indices is refused. */
  readonly allowAliasesToMultipleIndices: boolean
  readonly forbidClosedIndices: boolean
  /** True: aliases are not names of indices here (delete index). */
  readonly ignoreAliases: boolean
  /** True: data streams are no names of indices here (delete index, get, aliases). */
  readonly ignoreDataStreams: boolean
}

/** Search, count, refresh, …: names must be, wildcards mean open indices, closed ones are refused. */
export const STRICT_EXPAND_OPEN_FORBID_CLOSED: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandWildcardsOpen: true,
  expandWildcardsClosed: false,
  expandWildcardsHidden: false,
  allowAliasesToMultipleIndices: true,
  forbidClosedIndices: true,
  ignoreAliases: false,
  ignoreDataStreams: false,
}

/** Get mapping, settings, …: as above, closed indices named are fine. */
export const STRICT_EXPAND_OPEN: IndicesOptions = { ...STRICT_EXPAND_OPEN_FORBID_CLOSED, forbidClosedIndices: false }

/** Validate query: as above, and some index must be found. */
export const STRICT_FIND_SOME_OPEN: IndicesOptions = { ...STRICT_EXPAND_OPEN, allowNoIndices: false }

/** Settings, aliases: wildcards mean closed indices too. */
export const STRICT_EXPAND: IndicesOptions = { ...STRICT_EXPAND_OPEN, expandWildcardsClosed: true }

/** Health, aliases: as above, and what is hidden. */
export const STRICT_EXPAND_HIDDEN: IndicesOptions = { ...STRICT_EXPAND, expandWildcardsHidden: true }

/** Put mapping, update settings: wildcards must find something. */
export const STRICT_FIND_SOME: IndicesOptions = { ...STRICT_EXPAND, allowNoIndices: false }

/** Changes of aliases: concrete names, wildcards of open indices that find some. */
export const CHANGED_ALIASES: IndicesOptions = {
  ...STRICT_EXPAND_OPEN,
  allowNoIndices: false,
  ignoreAliases: true,
  ignoreDataStreams: true,
}

/** Delete index: concrete names only. */
export const DELETE_INDEX: IndicesOptions = {
  ...STRICT_EXPAND,
  allowAliasesToMultipleIndices: false,
  ignoreAliases: true,
  ignoreDataStreams: true,
}

/** Whatever is there: cluster state, cat. */
export const LENIENT_EXPAND_OPEN: IndicesOptions = {
  ...STRICT_EXPAND_OPEN,
  ignoreUnavailable: true,
}

/**
 * Options of a call from its query parameters, over the call's own defaults.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function indicesOptionsFromQuery(query: ReadonlyMap<string, string>, defaults: IndicesOptions): IndicesOptions {
  const flag = (name: string, fallback: boolean): boolean => {
    const value = query.get(name)
    if (value === undefined || value.trim() === '') return fallback
    if (value === 'true') return true
    if (value === 'false') return false
    throw illegalArgument(`Could not convert [${name}] to boolean`, notABoolean(value))
  }
  const options = {
    ...defaults,
    ignoreUnavailable: flag('ignore_unavailable', defaults.ignoreUnavailable),
    allowNoIndices: flag('allow_no_indices', defaults.allowNoIndices),
  }
  // No index is throttled.
  flag('ignore_throttled', true)
  const wildcards = query.get('expand_wildcards')
  if (wildcards === undefined) return options
  let expandWildcardsOpen = false
  let expandWildcardsClosed = false
  let expandWildcardsHidden = false
  for (const word of wildcards.split(',')) {
    if (word === 'open') expandWildcardsOpen = true
    else if (word === 'closed') expandWildcardsClosed = true
    else if (word === 'hidden') expandWildcardsHidden = true
    else if (word === 'none') expandWildcardsOpen = expandWildcardsClosed = expandWildcardsHidden = false
    else if (word === 'all') expandWildcardsOpen = expandWildcardsClosed = expandWildcardsHidden = true
    else if (word !== '') {
      throw illegalArgument(`No valid expand wildcard value [${word}]`)
    }
  }
  return { ...options, expandWildcardsOpen, expandWildcardsClosed, expandWildcardsHidden }
}
