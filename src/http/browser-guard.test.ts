import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BrowserGuard, isLoopback } from './browser-guard.ts'

const guard = new BrowserGuard(['search.example.com'])
const checked = (method: string, host: string, origin?: string): number => {
  try {
    guard.check({ method, headers: { host, origin } } as IncomingMessage)
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

describe('BrowserGuard', () => {
  it.each([
    'localhost',
    'localhost:9200',
    'LOCALHOST.:9200',
    '127.0.0.1:9200',
    '[::1]:9200',
    '192.168.1.5',
    'chaja:9200',
    'books.localhost:9200',
    'host.docker.internal:9200',
    'Search.Example.com',
  ])('knows %s for its own', (host) => {
    expect(checked('GET', host)).toBe(200)
    expect(checked('POST', 'localhost', `http://${host}`)).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:9200',
    'evil.example.',
    'localhost.evil.example',
    '127.0.0.1.evil.example:9200',
    'search.example.com.evil.example',
    'internal.evil.example',
    '[::1].evil.example',
    '127.0.0.1:80@evil.example',
    '',
  ])('knows %s for none', (host) => {
    expect(checked('GET', host)).toBe(400)
    expect(checked('POST', 'localhost', `https://${host}`)).toBe(403)
  })

  it.each(['203.0.113.7', '203.0.113.7:8080', '[2001:db8::1]', '[::ffff:cb00:7107]'])(
    'takes no writes of a page at %s, which anybody may have, though it may be reached there',
    (host) => {
      expect(checked('GET', host)).toBe(200)
      expect(checked('POST', 'localhost', `http://${host}`)).toBe(403)
      expect(checked('POST', host, `http://${host}`)).toBe(403)
    },
  )

  it('takes no writes of pages elsewhere, nor of those that do not say where they are from', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect(checked(method, 'localhost', 'https://evil.example')).toBe(403)
      expect(checked(method, 'localhost', 'null')).toBe(403)
      expect(checked(method, 'localhost')).toBe(200)
      expect(checked(method, 'localhost', 'moz-extension://0e2e')).toBe(200)
    }
    expect(checked('GET', 'localhost', 'https://evil.example')).toBe(200)
  })

  it('is for what only this machine reaches', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', 'localhost'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '::', '', '10.0.0.1', '127.example.com'].some(isLoopback)).toBe(false)
  })
})
