import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { compileScript } from './compile/compile-script.ts'
import { scriptValueOf } from './values/script-json.ts'
import { ScriptMap } from './values/script-map.ts'
import { TEST_CONTEXT, UPDATE_CONTEXT } from './write-contexts.ts'

/** Names that lead out of JavaScript's objects, and out of Java's. */
const MEMBERS = [
  'constructor',
  '__proto__',
  'prototype',
  'toLocaleString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupGetter__',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'apply',
  'call',
  'bind',
  'arguments',
  'caller',
  'class',
  'getClass',
  'classLoader',
  'notify',
  'wait',
  'finalize',
  'items',
  'entries',
  'className',
  'invoke',
  'scriptClass',
]

/** Objects to start from: what of them a script may not see. */
const STARTS = [
  '""',
  '[]',
  '[:]',
  '5',
  '1.5',
  'true',
  'params',
  'params.l',
  'params.m',
  'new StringBuilder()',
  'Math',
  'String',
  '(x -> x)',
]

const GLOBALS = [
  'process.exit(1)',
  'require("fs")',
  'import("fs")',
  'globalThis',
  'global',
  'window',
  'eval("1")',
  'Function("return 1")()',
  'new Function("return 1")',
  'setTimeout(x -> x, 1)',
  'this',
  'this.x',
  'self',
  'arguments',
  'arguments[0]',
  'async',
  'Buffer.from("x")',
  'JSON.parse("1")',
  'Reflect.ownKeys(params)',
  'Proxy',
  'Symbol.iterator',
  'new Object().constructor',
  'java.lang.Runtime.getRuntime().exec("ls")',
  'java.lang.System.exit(0)',
  'System.exit(0)',
  'System.getenv()',
  'System.getProperty("user.home")',
  'Runtime.getRuntime().exec("ls")',
  'Class.forName("java.lang.Runtime")',
  'new java.io.File("/etc/passwd")',
  'new File("/etc/passwd")',
  'java.nio.file.Files.readAllLines(null)',
  'new java.net.URL("http://localhost").openStream()',
  'new Thread(() -> 1).start()',
  'Thread.currentThread()',
  'java.lang.reflect.Method.invoke(null, null)',
  'ClassLoader.getSystemClassLoader()',
  'javax.script.ScriptEngineManager',
  'new ProcessBuilder(["ls"]).start()',
  'org.elasticsearch.client.Client',
  'sun.misc.Unsafe.getUnsafe()',
  'Object.class',
  'String.class.forName("x")',
  'Math.constructor',
  'Math.__proto__',
  'params.constructor.constructor("return process")()',
  'params["constructor"]["constructor"]("return process")()',
  'params.__proto__.polluted = 1',
  'params["__proto__"]["polluted"] = 1',
  'params.m.__proto__.x = 1',
  '[].constructor.constructor("return 1")()',
  '"".constructor.constructor("return 1")()',
  'import java.util.List',
  'package x',
  'class X { }',
  'function f() { }',
  'var x = 1; x.y.z',
  'let x = 1',
  'const x = 1',
  'x => x',
  '`x`',
  'new Foo()',
  'new int()',
  'List<String> l = null',
  '@Grab("x") int x',
  '/a/.matcher("a").matches()',
  '"a" =~ /a+/',
  '"a" ==~ /(a+)+$/',
  '\\u0061',
  '"\\u0041',
  '\u0000',
  'params.s.execute()',
  'Debug.explain(params)',
  'Debug.explain(null)',
]

/** What would take long, much room or much depth. */
const HEAVY = [
  'while (params.t) { }',
  'for (;;) { }',
  'do { } while (params.t)',
  'int i = 0; while (params.t) { i++ } return i',
  'for (int i = 0; i >= 0; i = i) { }',
  'long x = 0; while (x < 100000000000L) { x++ } return x',
  'def l = []; while (params.t) { l.add(l) }',
  'def l = []; while (params.t) { l.add("0123456789") }',
  'String s = "x"; while (params.t) { s += s } return s',
  'String s = "x"; for (int i = 0; i < 40; i++) { s = s + s } return s',
  'String s = "x"; while (params.t) { s += "y" } return s',
  'StringBuilder b = new StringBuilder("x"); while (params.t) { b.append(b) }',
  'StringBuilder b = new StringBuilder("x"); while (params.t) { b.append("0123456789") }',
  'StringBuilder b = new StringBuilder(); b.setLength(2000000000); return b.toString()',
  'def l = [1]; while (params.t) { l.addAll(l) }',
  'def m = [:]; int i = 0; while (params.t) { m[i++] = i }',
  'int[] a = new int[2000000000]; return a.length',
  'int[][] a = new int[100000][100000]; return a.length',
  'long[] a = new long[500000000]; return a.length',
  'def a = []; for (int i = 0; i < 1000; i++) { a.add(new byte[10000000]) }',
  'Collections.nCopies(2000000000, "x")',
  'Collections.nCopies(100000000, "x")',
  'int f(int x) { return f(x + 1) } return f(0)',
  'int f(int x) { return f(x) + f(x) } return f(0)',
  'int f(int x) { if (x == 0) { return 1 } return f(x - 1) + f(x - 1) } return f(40)',
  'int f(int n) { if (n < 2) { return n } return f(n - 1) + f(n - 2) } return f(60)',
  'IntStream.range(0, 2147483647).sum()',
  'IntStream.range(0, 2147483647).boxed().collect(Collectors.toList())',
  'LongStream.range(0, 9000000000000000L).filter(x -> x < 0).count()',
  'IntStream.range(0, 100000).mapToObj(x -> IntStream.range(0, 100000).sum()).collect(Collectors.toList())',
  'params.l.forEach(x -> { while (params.t) { } })',
  'def l = []; l.add(l); return l.hashCode()',
  'def m = [:]; m.m = m; return m.hashCode()',
  'def a = [], b = []; a.add(b); b.add(a); return a.toString()',
  'def a = [], b = []; a.add(b); b.add(a); return a.equals(b)',
  'def a = [], b = []; a.add(b); b.add(a); def m = [:]; m[a] = 1; return m',
  'def l = []; for (int i = 0; i < 100000; i++) { l = [l] } return l.toString()',
  'def l = []; for (int i = 0; i < 100000; i++) { l = [l] } return l.hashCode()',
  'def l = []; for (int i = 0; i < 100000; i++) { l = [l] } def m = []; for (int i = 0; i < 100000; i++) { m = [m] } return l == m',
  'def l = [1,2]; for (int i = 0; i < 60; i++) { l = [l, l] } return l.toString()',
  'def l = [1,2]; for (int i = 0; i < 60; i++) { l = [l, l] } return l.hashCode()',
  'def l = [1,2], k = [1,2]; for (int i = 0; i < 60; i++) { l = [l, l]; k = [k, k] } return l == k',
  `"x".replace("", "0123456789")${'.replace("x", "0123456789xxxxxxxxxx")'.repeat(12)}`,
  'def s = "x"; for (int i = 0; i < 30; i++) { s = s.replace("x", "xx") } return s',
  'def s = "x"; for (int i = 0; i < 30; i++) { s = s.concat(s) } return s',
  'def s = "xxxxxxxxxx"; for (int i = 0; i < 30; i++) { s = String.join(s, [s, s, s]) } return s',
  `${'Math.pow('.repeat(500)}1${', 1)'.repeat(500)}`,
  `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
  '['.repeat(20_000) + ']'.repeat(20_000),
  `${'-'.repeat(30_000)}1`,
  `${'!'.repeat(30_000)}true`,
  `1${'+1'.repeat(30_000)}+params.zz.y`,
  `${'if (params.t) { '.repeat(3_000) + '}'.repeat(3_000)} params.zz.y`,
  `params${'.a'.repeat(20_000)}`,
  `${'x -> '.repeat(5_000)}1`,
  `${'true ? '.repeat(5_000)}1${' : 1'.repeat(5_000)}`,
  `"${'x'.repeat(70_000)}"`,
  'List l = [1]; Iterator i = l.iterator(); while (params.t) { i.hasNext() }',
  'def f = params; try { while (params.t) { } } catch (Exception e) { return "caught" }',
  'int f() { try { return f() } catch (Exception e) { return 1 } } return f()',
  'List l = []; for (int i = 0; i < 999999; i++) { l.add(0, i) } while (params.t) { l.add(0, 1) }',
  'List l = Collections.nCopies(5000000, 1).stream().collect(Collectors.toList()); while (params.t) { l.remove(0) }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); while (params.t) { l.contains(2) }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); while (params.t) { Collections.reverse(l) }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); while (params.t) { l.subList(0, 4999999) }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); while (params.t) { l.toString() }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); while (params.t) { l.hashCode() }',
  'List l = new ArrayList(Collections.nCopies(5000000, 1)); List k = new ArrayList(l); while (params.t) { l.equals(k) }',
  'String s = "x"; for (int i = 0; i < 20; i++) { s += s } while (params.t) { s.hashCode() }',
  'String s = "x"; for (int i = 0; i < 20; i++) { s += s } while (params.t) { s.toUpperCase() }',
  'String s = "x"; for (int i = 0; i < 20; i++) { s += s } while (params.t) { s.indexOf("y") }',
  'String s = "x"; for (int i = 0; i < 20; i++) { s += s } while (params.t) { s.codePointCount(0, s.length()) }',
  'Map m = new TreeMap(); for (int i = 0; i < 200000; i++) { m.put(i, i) } while (params.t) { m.firstKey(); m.put(-1, 1); m.remove(-1) }',
  'Map m = [:]; for (int i = 0; i < 200000; i++) { m.put(i, i) } while (params.t) { for (e in m.entrySet()) { break } m.put(-1, 1); m.remove(-1) }',
  'Map m = [:]; for (int i = 0; i < 200000; i++) { m.put(i, i) } while (params.t) { m.hashCode() }',
]

const REACHING = STARTS.flatMap((start) => MEMBERS.map((member) => `${start}.${member}()`))

function run(source: string): unknown {
  const params = scriptValueOf({ t: true, s: 'x', l: [1, 2, 3], m: { a: 1 } })
  return compileScript({ source }, TEST_CONTEXT).run({ params })
}

/** The error of a script, and how long it took. */
function outcome(source: string): { readonly error: unknown; readonly result: unknown; readonly ms: number } {
  const since = performance.now()
  try {
    return { result: run(source), error: undefined, ms: performance.now() - since }
  } catch (error) {
    return { error, result: undefined, ms: performance.now() - since }
  }
}

describe('a script cannot get out', () => {
  it.each(REACHING)('by %s', (source) => {
    const { error } = outcome(source)
    expect(error).toBeInstanceOf(ServiceError)
    expect((error as ServiceError).type).toBe('script_exception')
  })

  it.each(GLOBALS)('by %s', (source) => {
    const { error, result } = outcome(source)
    expect(result).toBeUndefined()
    expect((error as ServiceError).type).toBe('script_exception')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(MEMBERS)('by the property %s of what is no map', (member) => {
    for (const start of ['""', '5', 'params.l', 'params.s', 'new StringBuilder()']) {
      const { error, result } = outcome(`def x = ${start}; return x.${member}`)
      expect(result).toBeUndefined()
      expect((error as ServiceError).type).toBe('script_exception')
    }
  })

  it.each(MEMBERS)('by the member %s of a map, which is a key like any other', (member) => {
    expect(run(`params.${member}`)).toBeNull()
    expect(run(`def m = [:]; m.${member} = 5; return m.${member}`)).toBe(5)
    const ctx = new ScriptMap()
    compileScript({ source: `ctx.${member} = ctx.${member}` }, UPDATE_CONTEXT).run({ ctx, params: new ScriptMap() })
    compileScript({ source: `ctx['${member}'] = 1` }, UPDATE_CONTEXT).run({ ctx, params: new ScriptMap() })
    expect(ctx.get(member)).toBe(1)
  })
})

describe('a script ends', () => {
  it.each(HEAVY.map((source) => [source.length > 120 ? `${source.slice(0, 120)}…` : source, source] as const))(
    'with an error and soon: %s',
    (_, source) => {
      const { error, result, ms } = outcome(source)
      expect(result).toBeUndefined()
      expect(error).toBeInstanceOf(ServiceError)
      expect(['script_exception', 'illegal_argument_exception']).toContain((error as ServiceError).type)
      // Two seconds on a machine that does nothing else; without an end it would be for ever.
      expect(ms).toBeLessThan(20_000)
    },
  )
})
