import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { createIndexAnalyzers } from '../create-index-analyzers.ts'

let configDir: string

beforeAll(() => {
  configDir = mkdtempSync(join(tmpdir(), 'chaja-config-'))
  mkdirSync(join(configDir, 'dicts'))
  writeFileSync(join(configDir, 'dicts', 'words.csv'), '# ours\n버카충,-100\n낄끼+빠빠,-100\n')
  writeFileSync(join(configDir, 'bad.csv'), '버카충,-100\n덕후,1,2\n')
  writeFileSync(join(configDir, 'latin1.csv'), Buffer.from([0xb9, 0xf6]))
  writeFileSync(join(configDir, 'nori.txt'), '# ours\n꿀잼\n인생작품 인생 작품\n')
})
afterAll(() => rmSync(configDir, { recursive: true, force: true }))

type Settings = Readonly<Record<string, string | readonly string[]>>

/** Terms that a tokenizer with those settings makes of a text. */
function tokenize(settings: Settings, text: string, engineVersion: EngineVersion = 'Elasticsearch_6.8'): string[] {
  const flat = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`index.analysis.tokenizer.ko.${name}`, value]),
  )
  return analyze({ ...flat, 'index.analysis.analyzer.ko.tokenizer': 'ko' }, 'ko', text, engineVersion)
}

function analyze(
  settings: Settings,
  analyzer: string,
  text: string,
  engineVersion: EngineVersion = 'Elasticsearch_6.8',
): string[] {
  const tokens = createIndexAnalyzers(settings, { engineVersion, configDir }).analyzer(analyzer)!.analyze(text)
  return tokens.terms.slice(0, tokens.length)
}

/** Status and reason of the error that settings cause when an index is created with them. */
function refusal(settings: Settings, kind = 'tokenizer'): string {
  const flat = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`index.analysis.${kind}.ko.${name}`, value]),
  )
  try {
    createIndexAnalyzers(flat, { engineVersion: 'OpenSearch_2.19', configDir })
  } catch (error) {
    if (error instanceof ServiceError) return `${error.status} ${error.type}: ${error.reason}`
    throw error
  }
  return 'accepted'
}

describe('seunjeon_tokenizer settings', () => {
  const seunjeon = (settings: Settings) => refusal({ type: 'seunjeon_tokenizer', ...settings })

  it('are checked when the index is created, and the message names what is wrong', () => {
    expect(seunjeon({ index_eojoel: 'false' })).toMatch(/^400 illegal_argument_exception: .*\[index_eojoel\]/)
    expect(seunjeon({ index_eojeol: 'no' })).toMatch(/^400 illegal_argument_exception: .*\[no\]/)
    expect(seunjeon({ index_poses: ['N', 'NNG'] })).toMatch(/^400 .*\[NNG\] in \[index_poses\]/)
    expect(seunjeon({ max_unk_length: '0' })).toMatch(/^400 .*max_unk_length/)
    expect(seunjeon({ max_unk_length: 'eight' })).toMatch(/^400 .*max_unk_length.*eight/)
    expect(seunjeon({ user_words: ['덕후', '버카충,1,2'] })).toMatch(/^400 .*\[user_words\].*\[버카충,1,2\]/)
    expect(seunjeon({ user_words: ['어그로,40000'] })).toMatch(/^400 .*\[어그로,40000\].*\[40000\]/)
    expect(seunjeon({ user_words: ['낄끼++빠빠'] })).toMatch(/^400 .*\[낄끼\+\+빠빠\]/)
    expect(seunjeon({ user_words: [''] })).toMatch(/^400 .*empty/)
    expect(seunjeon({ user_words: ['덕후,1780,3532,100,XYZ,*,F,덕후,*,*,*,*'] })).toMatch(/^400 .*\[XYZ\]/)
    expect(seunjeon({ user_words: ['덕후,9780,3532,100,NNG,*,F,덕후,*,*,*,*'] })).toMatch(/^400 .*\[9780\]/)
  })

  it('name files of the config folder alone', () => {
    expect(seunjeon({ user_dict_path: 'bad.csv' })).toMatch(/^400 .*\[user_dict_path\].*\[덕후,1,2\]/)
    expect(seunjeon({ user_dict_path: 'missing.csv' })).toMatch(/^400 .* while reading user_dict_path: missing\.csv/)
    expect(seunjeon({ user_dict_path: '../words.csv' })).toMatch(/^400 .*config folder/)
    expect(seunjeon({ user_dict_path: '/etc/passwd' })).toMatch(/^400 .*config folder/)
    expect(seunjeon({ user_dict_path: 'latin1.csv' })).toMatch(/^400 .*UTF-8/)
    expect(seunjeon({ dictionary: 'nori.txt' })).toMatch(/^400 .*\[dictionary\].*not a dictionary/)
  })

  it('make the user words the index asked for', () => {
    const settings = { type: 'seunjeon_tokenizer', index_eojeol: 'false', pos_tagging: 'false' }
    expect(tokenize({ ...settings, user_words: ['버카충,-100'] }, '버카충을 했다')).toContain('버카충')
    expect(tokenize({ ...settings, user_words: ['c\\+\\+,-2000'] }, 'C++을 쓴다')).toContain('c++')
    expect(tokenize({ ...settings, user_dict_path: 'dicts/words.csv' }, '낄끼빠빠를')).toEqual(['낄끼', '빠빠'])
    const whole = ['낄끼빠빠,1780,3532,-5000,NNG,*,F,낄끼빠빠,*,*,*,*']
    expect(tokenize({ ...settings, user_words: whole }, '낄끼빠빠를')).toEqual(['낄끼빠빠'])
  })

  it('take user_dict_path over user_words, as the original does', () => {
    const settings = { type: 'seunjeon_tokenizer', index_eojeol: 'false', user_dict_path: 'dicts/words.csv' }
    expect(tokenize({ ...settings, user_words: ['바나나킥,-3000'] }, '버카충')).toEqual(['버카충/N'])
  })

  it('are those of the alias seunjeon_default_tokenizer and of seunjeon_analyzer, too', () => {
    expect(tokenize({ type: 'seunjeon_default_tokenizer', index_eojeol: 'false' }, '학교에서')).toEqual(['학교/N'])
    const custom = { 'index.analysis.analyzer.ko.tokenizer': 'seunjeon_default_tokenizer' }
    expect(analyze(custom, 'ko', '학교에서')).toEqual(['학교/N', '학교에서/EOJ'])
    expect(analyze({}, 'seunjeon_analyzer', '학교에서')).toEqual(['학교/N', '학교에서/EOJ'])
    const configured = {
      'index.analysis.analyzer.ko.type': 'seunjeon_analyzer',
      'index.analysis.analyzer.ko.index_eojeol': 'false',
    }
    expect(analyze(configured, 'ko', '학교에서')).toEqual(['학교/N'])
  })
})

describe('nori settings', () => {
  const nori = (settings: Settings) => refusal({ type: 'nori_tokenizer', ...settings })

  it('are checked when the index is created, with the messages of the original', () => {
    expect(nori({ decompound_mode: 'some' })).toBe(
      '400 illegal_argument_exception: No enum constant org.apache.lucene.analysis.ko.KoreanTokenizer.DecompoundMode.SOME',
    )
    expect(nori({ user_dictionary: 'nori.txt', user_dictionary_rules: ['꿀잼'] })).toBe(
      '400 illegal_argument_exception: It is not allowed to use [user_dictionary] in conjunction with [user_dictionary_rules]',
    )
    expect(nori({ user_dictionary_rules: ['꿀잼 꿀잼이다'] })).toBe(
      '400 illegal_argument_exception: Illegal user dictionary entry 꿀잼 꿀잼이다 - the segmentation is bigger than the surface form (꿀잼)',
    )
    expect(nori({ user_dictionary: 'missing.txt' })).toBe(
      '400 illegal_argument_exception: IOException while reading user_dictionary: file not readable',
    )
    expect(nori({ user_dictionary: 'latin1.csv' })).toMatch(/^400 .*files must be UTF-8 encoded/)
    expect(nori({ discard_punctuation: 'yes' })).toMatch(/^400 .*\[yes\]/)
    expect(refusal({ type: 'nori_part_of_speech', stoptags: ['E', 'X'] }, 'filter')).toBe(
      '400 illegal_argument_exception: No enum constant org.apache.lucene.analysis.ko.POS.Tag.X',
    )
  })

  it('are looked at in the order of the original, user words in theirs', () => {
    expect(nori({ decompound_mode: 'some', discard_punctuation: 'yes' })).toMatch(/DecompoundMode\.SOME$/)
    expect(nori({ user_dictionary_rules: ['꿀잼 꿀잼이다', '가나 가나다', '  공백'] })).toMatch(/entry {3}공백/)
    expect(nori({ user_dictionary_rules: ['꿀잼 꿀잼이다', '가나 가나다'], discard_punctuation: 'x' })).toMatch(
      /가나다/,
    )
  })

  it('that mean nothing to it are refused', () => {
    expect(nori({ decompound: 'none' })).toMatch(/^400 illegal_argument_exception: .*\[decompound\]/)
    expect(refusal({ type: 'nori_part_of_speech', stop_tags: ['E'] }, 'filter')).toMatch(/^400 .*\[stop_tags\]/)
    expect(refusal({ type: 'nori_readingform', form: 'x' }, 'filter')).toMatch(/^400 .*\[form\]/)
    expect(refusal({ type: 'nori_number', form: 'x' }, 'filter')).toMatch(/^400 .*\[form\]/)
  })

  it('take stop tags from a file', () => {
    expect(refusal({ type: 'nori_part_of_speech', stoptags_path: 'nori.txt' }, 'filter')).toMatch(/POS\.Tag\.꿀잼$/)
  })

  it('make the user words the index asked for', () => {
    const settings = { type: 'nori_tokenizer', decompound_mode: 'mixed' }
    const expected = ['인생작품', '인생', '작품']
    expect(tokenize({ ...settings, user_dictionary_rules: ['인생작품 인생 작품'] }, '인생작품')).toEqual(expected)
    expect(tokenize({ ...settings, user_dictionary: 'nori.txt' }, '인생작품')).toEqual(expected)
  })

  it('follow the engine version: digits keep to themselves from Lucene 8.3 on', () => {
    const settings = { type: 'nori_tokenizer' }
    expect(tokenize(settings, '80년대', 'Elasticsearch_6.8')).toEqual(['80년대'])
    expect(tokenize(settings, '80년대', 'Elasticsearch_7.10')).toEqual(['80', '년', '대'])
    expect(tokenize(settings, '80년대', 'OpenSearch_2.19')).toEqual(['80', '년', '대'])
  })

  it('of the nori analyzer are those of the tokenizer and the stop tags', () => {
    const analyzer = { 'index.analysis.analyzer.ko.type': 'nori', 'index.analysis.analyzer.ko.stoptags': ['NNG'] }
    expect(analyze({}, 'nori', '학교에서 EBS를')).toEqual(['학교', 'ebs'])
    expect(analyze(analyzer, 'ko', '학교에서')).toEqual(['에서'])
  })
})

describe('Unicode char filters', () => {
  const decomposed = '학교에서'.normalize('NFD')
  const search = (charFilter: Settings) => {
    const flat = Object.entries(charFilter).map(([name, value]) => [`index.analysis.char_filter.cf.${name}`, value])
    return analyze(
      {
        ...Object.fromEntries(flat),
        'index.analysis.analyzer.ko.tokenizer': 'nori_tokenizer',
        'index.analysis.analyzer.ko.char_filter': 'cf',
      },
      'ko',
      decomposed,
    )
  }

  it('make text typed as jamo searchable', () => {
    const whole = ['학교', '에서']
    expect(analyze({ 'index.analysis.analyzer.ko.tokenizer': 'nori_tokenizer' }, 'ko', decomposed)).not.toEqual(whole)
    for (const type of ['nfc', 'nfkc', 'nfkc_cf']) {
      expect(search({ type })).toEqual(whole)
      expect(search({ type: 'icu_normalizer', name: type })).toEqual(whole)
    }
  })

  it('refuse names and modes that are not theirs', () => {
    expect(refusal({ type: 'icu_normalizer', name: 'nfd' }, 'char_filter')).toMatch(/^400 .*\[nfd\]/)
    expect(refusal({ type: 'icu_normalizer', mode: 'both' }, 'char_filter')).toMatch(/^400 .*\[both\]/)
    expect(refusal({ type: 'nfc', form: 'x' }, 'char_filter')).toMatch(/^400 .*\[form\]/)
  })
})
