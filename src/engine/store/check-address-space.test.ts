import { expect, it } from 'vitest'
import { checkAddressSpace } from './check-address-space.ts'

it('refuses a process that may not map the store, naming the limit', () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax address space         ${soft}   unlimited   bytes \n`
  expect(() => checkAddressSpace(2 ** 40, limits('4096000000'))).toThrow('addresses are limited to 4096000000 bytes')
  for (const enough of [limits('unlimited'), limits(String(2 ** 41)), '']) checkAddressSpace(2 ** 40, enough)
})
