/** How the first line of a file begins that holds what the index of its documents is made of. */
export const FILE_HEADER = '{"chaja_index":'
