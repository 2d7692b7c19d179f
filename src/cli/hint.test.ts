import { describe, expect, it } from 'vitest'
import { ClientError } from '../client/client-error.ts'
import { hintFor } from './hint.ts'

const broken = (type: string, reason = '') => new ClientError('connection', reason, { type })
const wrong = (reason: string) => new ClientError('response', reason, { status: 400 })
const refused = (reason: string) => new ClientError('response', reason, { status: 403 })

describe('hintFor', () => {
  it.each([
    [broken('SELF_SIGNED_CERT_IN_CHAIN'), /--ca <file>/],
    [broken('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /--ca <file>/],
    [broken('EPROTO', 'ssl3_get_record:wrong version number'), /http:\/\//],
    [broken('ECONNRESET', 'socket hang up'), /https:\/\//],
    [broken('ECONNREFUSED'), /is the server running/],
    [broken('ENOTFOUND'), /spelling/],
    [new ClientError('configuration', 'the environment lacks the access key (AWS_ACCESS_KEY)'), /chaja env/],
    [new ClientError('configuration', 'the environment lacks the host (AWS_ES_HOST)'), /chaja env/],
    [refused("'dTpw' not a valid key=value pair (missing equal-sign) in Authorization header"), /takes signatures/],
    [refused('The security token included in the request is invalid'), /access key/],
    [refused("Credential should be scoped to a valid region, not 'x'. "), /--region/],
    [refused('User: anonymous is not authorized to perform: es:ESHttpGet'), /not signed/],
    [refused('Signature expired: a is now earlier than b'), /clock/],
    [new ClientError('response', 'crashed', { status: 500, requestId: 'r-7' }), /r-7/],
    [wrong('no handler found for uri [/movies/movie/1] and method [PUT]'), /say _doc/],
    [wrong('no handler found for uri [/_all/movie/_search] and method [POST]'), /no --type/],
    [wrong('no handler found for uri [/movies/_serch] and method [GET]'), undefined],
    [wrong('no handler found for uri [/movies/movie/_search] and method [POST]'), /no --type/],
    [wrong('Action/metadata line [1] contains an unknown parameter [_type]'), /leave out _type/],
    [wrong('Root mapping definition has unsupported parameters:  [movie : {properties={}}]'), /mappings itself/],
    [wrong('Root mapping definition has unsupported parameters:  [propertys : {title={type=text}}]'), undefined],
  ])('tells what to do: %s', (error, words) => {
    if (words === undefined) expect(hintFor(error, {})).toBeUndefined()
    else expect(hintFor(error, {})).toMatch(words)
  })

  it('says that a proxy is not used where nothing is reached without one', () => {
    expect(hintFor(broken('ENOTFOUND'), { https_proxy: 'http://proxy:3128' })).toContain('https_proxy is set')
    expect(hintFor(broken('SELF_SIGNED_CERT'), { https_proxy: 'http://proxy:3128' })).toContain('--ca')
  })

  it('says nothing where it knows nothing', () => {
    for (const error of [new Error('x'), new ClientError('response', 'no such index', { status: 404 })])
      expect(hintFor(error, {})).toBeUndefined()
  })
})
