import { ServiceError } from '../../../errors.ts'
import type { Tokenizer } from '../analyzer.ts'
import type { FactoryContext } from '../factories.ts'
import { checkOptions, configDictionary, configLines } from './korean-settings.ts'
import { SEUNJEON_POSES, type SeunjeonPos } from './seunjeon-pos.ts'
import { SeunjeonTokenizer } from './seunjeon-tokenizer.ts'
import { readSeunjeonUserWords } from './seunjeon-user-words.ts'
import { UserLexicon } from './user-lexicon.ts'

const OPTIONS = [
  'index_eojeol',
  'decompound',
  'deinflect',
  'index_poses',
  'pos_tagging',
  'max_unk_length',
  'user_words',
  'user_dict_path',
  'dictionary',
]

const DEFAULT_POSES: readonly SeunjeonPos[] = ['N', 'SL', 'SH', 'SN', 'XR', 'V', 'M', 'UNK']
const DEFAULT_MAX_UNKNOWN_LENGTH = 8

/**
 * Makes a `seunjeon_tokenizer` from its settings. When `user_dict_path` is set, `user_words` is not used, as in the
 * original.
 *
 * @throws {ServiceError} illegal_argument_exception that names an unknown option, part of speech or a bad word
 */
export function makeSeunjeonTokenizer(context: FactoryContext): Tokenizer {
  const { settings } = context
  checkOptions(context, 'seunjeon_tokenizer', OPTIONS)
  const maxUnknownLength = settings.integer('max_unk_length', DEFAULT_MAX_UNKNOWN_LENGTH)
  if (maxUnknownLength < 1) throw bad(context, `max_unk_length must be at least 1, got [${maxUnknownLength}]`)
  const options = {
    indexEojeol: settings.boolean('index_eojeol', true),
    decompound: settings.boolean('decompound', true),
    deinflect: settings.boolean('deinflect', true),
    indexPoses: (settings.list('index_poses') ?? DEFAULT_POSES).map((pos) => toPos(context, pos)),
    posTagging: settings.boolean('pos_tagging', true),
    maxUnknownLength,
  }
  const fromFile = configLines(context, 'user_dict_path')
  const lines = fromFile ?? settings.list('user_words') ?? []
  const dictionary = configDictionary(context, 'seunjeon')
  const { words, rejected } = readSeunjeonUserWords(lines, dictionary)
  const [first] = rejected
  if (first !== undefined) {
    const setting = fromFile === undefined ? 'user_words' : 'user_dict_path'
    throw bad(context, `[${setting}] has a bad line [${first.line}]: ${first.reason}`)
  }
  const user = words.length === 0 ? undefined : new UserLexicon(words, dictionary)
  return new SeunjeonTokenizer({ ...options, dictionary, user })
}

function toPos(context: FactoryContext, name: string): SeunjeonPos {
  const pos = SEUNJEON_POSES.find((known) => known === name)
  if (pos === undefined) {
    throw bad(context, `unknown part of speech [${name}] in [index_poses], known are [${SEUNJEON_POSES.join(', ')}]`)
  }
  return pos
}

function bad(context: FactoryContext, reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `tokenizer [${context.name}]: ${reason}`)
}
