/* A unit's traits, 16 bits:
 *   BITS   DESCRIPTION
 *   0-3    character class (`unit-class.ts`)
 *   4      punctuation as nori counts it: white space, control and format characters, P*, S*, U+318D
 *   5      decimal digit
 *   6      space separator (Zs)
 *   7      nonspacing mark
 *   8-15   Unicode script: 0 unknown, 1 Common or Inherited, any other number is one script
 */

/** Bits of a unit's traits that hold its character class. */
export const TRAIT_CLASS = 0x0f
export const TRAIT_PUNCTUATION = 0x10
export const TRAIT_DIGIT = 0x20
export const TRAIT_SPACE = 0x40
export const TRAIT_MARK = 0x80
/** How far the script stands left. */
export const TRAIT_SCRIPT_SHIFT = 8
/** Script number of characters that any script may use. */
export const SCRIPT_COMMON = 1
