import type { ClassDefinition } from '../values/script-class.ts'
import { COLLECTION_CLASSES } from './collection-classes.ts'
import { COLLECTOR_CLASSES } from './collector-classes.ts'
import { COMPARATOR_CLASSES } from './comparator-classes.ts'
import { DECIMAL_CLASSES } from './decimal-classes.ts'
import { FUNCTION_CLASSES } from './function-classes.ts'
import { LANG_CLASSES } from './lang-classes.ts'
import { MAP_CLASSES } from './map-classes.ts'
import { MATH_CLASSES } from './math-classes.ts'
import { NUMBER_CLASSES } from './number-classes.ts'
import { OPTIONAL_CLASSES } from './optional-classes.ts'
import { withPaths } from './path-classes.ts'
import { REGEX_CLASSES } from './regex-classes.ts'
import { SET_CLASSES } from './set-classes.ts'
import { STREAM_CLASSES } from './stream-classes.ts'
import { SUMMARY_CLASSES } from './summary-classes.ts'
import { TEXT_CLASSES } from './text-classes.ts'
import { TEXT_HELPER_CLASSES } from './text-helper-classes.ts'
import { UTILITY_CLASSES } from './utility-classes.ts'

/** All classes that scripts may use anywhere: nothing else is reached by any name. */
export const API: readonly ClassDefinition[] = [
  ...LANG_CLASSES,
  ...NUMBER_CLASSES,
  ...MATH_CLASSES,
  ...TEXT_CLASSES,
  ...TEXT_HELPER_CLASSES,
  ...FUNCTION_CLASSES,
  ...COMPARATOR_CLASSES,
  ...COLLECTION_CLASSES,
  ...SET_CLASSES,
  ...MAP_CLASSES,
  ...STREAM_CLASSES,
  ...COLLECTOR_CLASSES,
  ...SUMMARY_CLASSES,
  ...OPTIONAL_CLASSES,
  ...REGEX_CLASSES,
  ...UTILITY_CLASSES,
  ...DECIMAL_CLASSES,
]

/** The same in 7.x and later. */
export const API_7: readonly ClassDefinition[] = API.map((one) => withPaths(one.later ?? one))
