import { describe, expect, it } from 'vitest'
import { reloadableAnalyzers } from './reloadable-analyzers.ts'

describe('reloadableAnalyzers', () => {
  it('names the analyzers that read a user dictionary from a file, and those with an updateable filter', () => {
    const settings = {
      'index.number_of_shards': '1',
      'index.analysis.analyzer.words.tokenizer': 'words',
      'index.analysis.analyzer.file.tokenizer': 'file',
      'index.analysis.analyzer.nori.type': 'nori',
      'index.analysis.analyzer.nori.user_dictionary': 'nori.txt',
      'index.analysis.analyzer.synonyms.tokenizer': 'standard',
      'index.analysis.analyzer.synonyms.filter.0': 'lowercase',
      'index.analysis.analyzer.synonyms.filter.1': 'updateable',
      'index.analysis.tokenizer.words.user_words': ['덕후'],
      'index.analysis.tokenizer.file.user_dict_path': 'words.csv',
      'index.analysis.filter.updateable.updateable': 'true',
    }
    expect(reloadableAnalyzers(settings)).toEqual(['file', 'nori', 'synonyms'])
  })
})
