import { describe, expect, it } from 'vitest'
import { withoutPassword } from '../client/endpoint.ts'
import { parseLocation } from './location.ts'

describe('parseLocation', () => {
  it('reads an index URL', () => {
    expect(parseLocation('https://host:9443/movies')).toEqual({
      kind: 'index',
      origin: 'https://host:9443',
      index: 'movies',
    })
    expect(parseLocation('https://proxy/es/%EC%98%81%ED%99%94')).toEqual({
      kind: 'index',
      origin: 'https://proxy/es',
      index: '영화',
    })
  })

  it('reads a file', () => {
    expect(parseLocation('out/movies.ndjson.gz')).toEqual({ kind: 'file', path: 'out/movies.ndjson.gz', gzip: true })
  })

  it('says what is wrong with the rest', () => {
    expect(() => parseLocation('https://host/')).toThrow('names no index')
    expect(() => parseLocation('https://host/movies:443')).toThrow('the port belongs behind the host')
    expect(() => parseLocation('ftp://host/x')).toThrow('only https:// and http://')
    expect(() => parseLocation('movies')).toThrow('expected https://<host>/<index>')
  })

  it('refuses what is no URL', () => {
    for (const text of ['http://[/x', 'https://h/%zz']) expect(() => parseLocation(text)).toThrow('it is no URL')
  })

  it('keeps a name and password for asking, and shows no password', () => {
    const text = 'https://elastic:p%40ss@old.example:9200/films'
    expect(parseLocation(text)).toMatchObject({ origin: 'https://elastic:p%40ss@old.example:9200', index: 'films' })
    expect(withoutPassword(text)).toBe('https://elastic@old.example:9200/films')
    expect(withoutPassword('https://old.example/a:b@c')).toBe('https://old.example/a:b@c')
    expect(() => parseLocation('https://elastic:secret@old.example')).toThrow('[https://elastic@old.example]')
  })
})
