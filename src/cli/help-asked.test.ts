import { Command } from 'commander'
import { expect, test } from 'vitest'
import { helpAsked } from './help-asked.ts'

const program = new Command('chaja')
program.command('search [body]')
program.command('policy').command('check <file>')

const asked = (line: string) => helpAsked(program, line.split(' ')).join(' ')

test('help in front of a command is help of that command, however deep it is', () => {
  expect(asked('help')).toBe('--help')
  expect(asked('help search')).toBe('search --help')
  expect(asked('help policy check')).toBe('policy check --help')
  expect(asked('policy help check')).toBe('policy check --help')
  expect(asked('policy help')).toBe('policy --help')
  expect(asked('help help')).toBe('--help')
})

test('a word that is no command is complained of, whatever stands behind it', () => {
  expect(asked('help nope')).toBe('nope')
  expect(asked('nope --help')).toBe('nope')
  expect(asked('policy nope --help')).toBe('policy nope')
  expect(asked('help policy nope')).toBe('policy nope')
})

test('all else stays, what a command is given too', () => {
  expect(asked('search help --host x')).toBe('search help --host x')
  expect(asked('policy check help')).toBe('policy check help')
  expect(asked('--version')).toBe('--version')
})
