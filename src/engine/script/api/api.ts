import type { ClassDefinition } from '../script-class.ts'
import { LANG_CLASSES } from './lang-classes.ts'
import { MATH_CLASSES } from './math-classes.ts'
import { NUMBER_CLASSES } from './number-classes.ts'

/** All classes that scripts may use anywhere: nothing else is reached by any name. */
export const API: readonly ClassDefinition[] = [...LANG_CLASSES, ...NUMBER_CLASSES, ...MATH_CLASSES]
