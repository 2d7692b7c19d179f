import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import { ScriptFunction } from '../values/script-function.ts'
import type { ScriptMatcher, ScriptPattern } from '../values/script-pattern.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'
import { ScriptStream } from './script-stream.ts'

function startOf(self: ScriptMatcher, group: number): number {
  return self.group(group)?.start ?? -1
}

function endOf(self: ScriptMatcher, group: number): number {
  const found = self.group(group)
  return found === null ? -1 : found.start + found.text.length
}

function named(self: ScriptMatcher, name: string): string | null {
  const group = self.pattern.compiled.groupNamed(name)
  if (group === undefined) throw fault('IllegalArgumentException', `No group with name <${name}>`)
  return self.group(group)?.text ?? null
}

function replaced(self: ScriptMatcher, by: string, isAll: boolean, run: ScriptRun): string {
  const { compiled } = self.reset().pattern
  const replacement = compiled.replacement(by)
  self.all(run)
  return run.allocateText(compiled.replace(self.text, replacement, isAll))
}

const BACKSLASHED = /[\\$]/g

/** Regular expressions, which scripts write as literals; classes of texts have what takes one. */
export const REGEX_CLASSES: readonly ClassDefinition[] = [
  {
    name: 'Pattern',
    javaName: 'java.util.regex.Pattern',
    methods: {
      'Predicate asPredicate()': (self: ScriptPattern, run: ScriptRun) =>
        new ScriptFunction('java.util.function.Predicate', (text) => self.matcher(textOf(text ?? null)).find(run), 1),
      'int flags()': (self: ScriptPattern) => self.flags,
      'Matcher matcher(CharSequence)': (self: ScriptPattern, text: ScriptValue) => self.matcher(textOf(text)),
      'String pattern()': (self: ScriptPattern) => self.source,
      'String[] split(CharSequence)': (self: ScriptPattern, text: ScriptValue, run: ScriptRun) =>
        new ScriptArray('String', self.split(textOf(text), 0, run)),
      'String[] split(CharSequence,int)': (self: ScriptPattern, text: ScriptValue, limit: number, run: ScriptRun) =>
        new ScriptArray('String', self.split(textOf(text), limit, run)),
      'Stream splitAsStream(CharSequence)': (self: ScriptPattern, text: ScriptValue, run: ScriptRun) =>
        new ScriptStream('object', self.split(textOf(text), 0, run), run),
    },
    statics: {
      'String quote(String)': (text: string) => `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`,
    },
  },
  {
    name: 'Matcher',
    javaName: 'java.util.regex.Matcher',
    methods: {
      'int end()': (self: ScriptMatcher) => endOf(self, 0),
      'int end(int)': endOf,
      'boolean find()': (self: ScriptMatcher, run: ScriptRun) => self.find(run),
      'boolean find(int)': (self: ScriptMatcher, from: number, run: ScriptRun) => self.reset(from).find(run),
      'String group()': (self: ScriptMatcher) => self.group(0)?.text ?? null,
      'String group(int)': (self: ScriptMatcher, group: number) => self.group(group)?.text ?? null,
      'String namedGroup(String)': named,
      'int groupCount()': (self: ScriptMatcher) => self.pattern.compiled.groupCount,
      'boolean lookingAt()': (self: ScriptMatcher, run: ScriptRun) => self.lookingAt(run),
      'boolean matches()': (self: ScriptMatcher, run: ScriptRun) => self.matches(run),
      'Pattern pattern()': (self: ScriptMatcher) => self.pattern,
      'String replaceAll(String)': (self: ScriptMatcher, by: string, run: ScriptRun) => replaced(self, by, true, run),
      'String replaceFirst(String)': (self: ScriptMatcher, by: string, run: ScriptRun) =>
        replaced(self, by, false, run),
      'Matcher reset()': (self: ScriptMatcher) => self.reset(),
      'int start()': (self: ScriptMatcher) => startOf(self, 0),
      'int start(int)': startOf,
    },
    statics: {
      'String quoteReplacement(String)': (text: string) => text.replace(BACKSLASHED, '\\$&'),
    },
  },
]
