// Scripts that record-answers.mjs asks a real server about; their parameters are PARAMS.
export const PARAMS = { i: 3, d: 2.5, s: 'abc', l: [3, 1, 2], m: { a: 1, b: 'x' }, big: 5000000000, n: null, t: true, o: [{ k: 'x', v: 1 }, { k: 'y', v: 2 }, { k: 'x', v: 3 }] }

export const SCRIPTS = String.raw`
int x = "a"; return x
String s = 1; return s
def x = 1; x.foo()
def x = "a"; x.foo
"a".foo
"a".foo()
Foo x = 1
new Foo()
new java.io.File("x")
not ( code
ctx._source.isbn = 
int x = 1
int x; return x
x = 1
int x = 1; int x = 2;
List l = new ArrayList(); l.add(1); l.foo
def l = [1,2]; return l[5]
def l = [1,2]; return l.5
def m = ['a':1]; return m.a + m['a']
int[] a = new int[3]; a[5] = 1
1 / 0
int a = 0; 1 / a
long a = 0; return 1L % a
true + 1
1 + "a"
"a" + 1 + null + 1.0 + 'c'
(int)'ab'
(char)'a'
(int)'a'
1 == 1L
1 == 1.0
"a" == "a"
"a" === "a"
def a = "x", b = null; a == b
null.foo()
return null
if (1) return 2
while (true) {}
for (;;) {}
int f(int x) { return f(x) } f(1)
int f(int x) { return x } f("a")
g(1)
String.valueOf(1)
Integer.parseInt("abc")
Integer.parseInt(1)
Math.max(1, 2)
Math.max(1)
params.x.y
params.l.size() + params.l.length
params.m.a
params.big + 1
params.d + params.i
params.i / 2
params.i / 2.0
2147483647 + 1
int x = 2147483647; x + 1
9223372036854775807L + 1
2147483648
(byte)200
1.0f + 1
1.0f/3
1.0/3
10 % 3.5
-7 / 2
-7 % 3
1 << 33
-1 >>> 28
-1L >>> 60
~5
!true
5 & 3 | 8 ^ 1
true & false
1 ? 2 : 3
true ? 1 : 2.0
params.n ?: "def"
params.n?.foo
params.t instanceof Boolean
params.l instanceof List
1 instanceof Integer
def x = 1; x instanceof Integer
throw new IllegalArgumentException("boo")
throw new RuntimeException("boo")
try { return 1/0 } catch (ArithmeticException e) { return e.getMessage() }
try { int a = 0; return 1/a } catch (Exception e) { return e.getMessage() }
[1,2,3].stream().map(x -> x * 2).collect(Collectors.toList())
params.l.stream().mapToInt(Integer::intValue).sum()
params.l.sum()
params.l.collect(x -> x + 1)
params.l.each(x -> x + 1)
def m = new HashMap(); m.put('a', 1); m
[:]
['a':1,'b':[1,2]]
'a'.class
''.getClass()
java.lang.System.exit(1)
System.exit(1)
import java.util.List
'\d'
'\n'
"a\"b"
"a
1; 2
return 1; return 2
break
continue
for (int i = 0; i < 3; i++) { } return i
for (x in [1,2]) return x
for (def x : [1,2]) return x
for (int x : [1,2]) { return x }
int i = 0; i++; return ++i + i++
byte b = 1; b += 500; return b
byte b = 1; b = b + 1
int i = 1; i += 1.7; return i
int i = 1; i = 1.7; return i
def i = 1; i += 1.7; return i
String s = 'a'; s += 1; return s
def d = 'a'; return d * 2
def d = [1]; return d + 1
return params
010
0b11
1e3
1d
1f
1L
100000000000
.5
int a = 7; a <<= 2; return a
int a = -7; a >>>= 1; return a
long a = 5; a *= 3; return a
double x = 1; x /= 3; return x
float f = 1.1f; return f * f
char c = (char)'a'; c++; return c
char c = (char)'a'; return c + 1
short s = 32767; s++; return s
byte b = 127; b++; return b
int x = (int)3.99; return x
int x = (int)-3.99; return x
long x = (long)1e30; return x
int x = (int)1e30; return x
double d = 0.0/0.0; return d
double d = 1/0.0; return d
-0.0
0.1 + 0.2
1e20
1e-5
100.0f
1.0e10f
123456789.0
1234567.0
12345678.9f
Long.MAX_VALUE + 1
Integer.MIN_VALUE - 1
Long.MIN_VALUE / -1
Integer.MIN_VALUE / -1
5 / -2
5 % -2
-5 % 2
5.5 % -2
1L << 65
1 >> 33
1L >>> 1
3 ^ 5
~0L
+5
-(-5)
1 + 2 * 3 - 4 / 2 % 3
(1 + 2) * 3
1 < 2 && 2 < 3 || false
1 == 1 ? "a" : "b"
def x = 1; x == 1 ? "a" : "b"
int x = 1; return x == 1 ? 1 : 2.5
def x = null; return x ?: 5
def x = 4; return x ?: 5
String s = null; return s?.length()
def s = null; return s?.length()
def s = "abc"; return s?.length()
params.zz?.y?.z
params.m?.a
params['m']['a']
params.m['b']
params.l[0]
params.l[-1]
params.l.0
params.l[3]
params.l['a']
params.s.length()
params.s[0]
params.s.charAt(1)
params.s.charAt(9)
params.s.substring(1)
params.s.substring(1, 9)
params.s.toUpperCase()
params.s.indexOf("c")
params.s.contains("b")
params.s.replace("b", "zz")
params.s + 1
params.s + params.l
params.s == "abc"
params.s.equals("abc")
params.s.hashCode()
params.s.compareTo("abd")
params.s.isEmpty()
params.s.foo()
"a,b,c".splitOnToken(",").length
"a,b,c".splitOnToken(",")[1]
"abc".encodeBase64()
"YWJj".decodeBase64()
" x ".trim()
"abc".startsWith("ab")
String.join("-", ["a", "b"])
String.valueOf(true)
String.valueOf(1.5)
"a" + 'b' + (char)'c'
'a' == 'a'
"it's"
'say "x"'
'it\'s'
"back\\slash"
new StringBuilder().append(1).append("x").append(2.5).toString()
new StringBuilder("abc").reverse().toString()
new StringBuilder("abc").insert(1, "zz").toString()
StringBuilder b = new StringBuilder(); for (int i = 0; i < 3; i++) { b.append(i) } return b.toString()
Integer.parseInt("12") + Integer.valueOf(3)
Integer.parseInt("1x")
Integer.parseInt("99999999999")
Integer.parseInt("ff", 16)
Long.parseLong("123456789012")
Double.parseDouble("1.5e3")
Double.parseDouble("abc")
Boolean.parseBoolean("TRUE")
Integer.toHexString(255)
Integer.toBinaryString(5)
Integer.toString(255, 16)
Integer.MAX_VALUE
Integer.compare(1, 2)
Integer.bitCount(255)
Long.numberOfTrailingZeros(8)
Long.toHexString(-1L)
Double.compare(1.0, 2.0)
Double.isNaN(0.0/0.0)
Double.MAX_VALUE
Double.MIN_VALUE
Float.MAX_VALUE
Character.isDigit((char)'5')
Character.toUpperCase((char)'a')
Character.getNumericValue((char)'7')
Math.abs(-5)
Math.pow(2, 10)
Math.sqrt(2)
Math.round(2.5)
Math.round(-2.5)
Math.floor(-1.5)
Math.ceil(1.2)
Math.log(10)
Math.log10(1000)
Math.hypot(3, 4)
Math.signum(-2)
Math.rint(2.5)
Math.min(1, 2)
Math.PI
Math.E
Math.cbrt(27)
Math.toRadians(180)
[1, 2, 3].size()
[1, 2, 3].get(1)
[1, 2, 3].contains(2)
[1, 2, 3].indexOf(3)
[3, 1, 2].stream().sorted().collect(Collectors.toList())
[1, 2, 3].sum()
[1, 2, 3].join("-")
[1, 2, 3].any(x -> x > 2)
[1, 2, 3].every(x -> x > 0)
[1, 2, 3].find(x -> x > 1)
[1, 2, 3].findAll(x -> x > 1)
[1, 2, 3].collect(x -> x * 2)
[1, 2, 3].collect(new HashSet(), x -> x % 2)
[1, 2, 3].each(x -> x)
[1, 2, 3].groupBy(x -> x % 2 == 0)
[1, 2, 3].split(x -> x > 1)
[1, 2, 3].findResult(x -> x > 1 ? x * 10 : null)
[1, null, 3].findResults(x -> x)
[1, 2, 3].sum(x -> x * 1.5)
[1, 2, 3].asList()
[1, 2, 3].getLength()
[1, 2, 3].length
def l = [1, 2, 3]; return l.length
[[1, 2], [3]].toString()
[1, 2] == [1, 2]
def a = [1, 2]; def b = [1, 2]; return a == b
def a = [1, 2]; def b = [1, 2]; return a === b
['a': 1] == ['a': 1]
List l = new ArrayList(); l.add(1); l.add(0, 2); l.addAll([5, 6]); l.remove(0); return l
List l = [1, 2, 3]; l.removeIf(x -> x == 2); return l
List l = [1, 2, 3]; for (x in l) { if (x == 1) { l.add(9) } } return l
List l = [3, 1, 2]; l.sort((a, b) -> a - b); return l
List l = [3, 1, 2]; l.sort((a, b) -> b.compareTo(a)); return l
List l = [3, 1, 2]; Collections.sort(l); return l
List l = [3, 1, 2]; Collections.reverse(l); return l
List l = ["b", "a"]; l.sort(null); return l
List l = ["b", "a"]; l.sort(Comparator.naturalOrder()); return l
List l = ["bb", "a"]; l.sort(Comparator.comparing(String::length)); return l
List l = [1, "a"]; Collections.sort(l); return l
Collections.max([1, 5, 3])
Collections.min([])
Collections.emptyList().add(1)
Collections.unmodifiableList([1]).add(2)
Collections.nCopies(3, "x")
Collections.frequency([1, 2, 1], 1)
Arrays.asList(new String[] {"a", "b"})
List l = [1, 2, 3]; return l.subList(1, 3)
List l = [1, 2, 3]; return l.subList(2, 1)
List l = [1, 2, 3]; Iterator it = l.iterator(); int s = 0; while (it.hasNext()) { s += it.next() } return s
List l = [1, 2, 3]; Iterator it = l.iterator(); it.next(); it.remove(); return l
Set s = new HashSet(); s.add(1); s.add(1); return s.size()
Set s = new TreeSet(); s.add(3); s.add(1); return s
Set s = new HashSet(["banana", "apple", "cherry"]); return s
new LinkedHashSet([3, 1, 2, 3])
Map m = new HashMap(); m.put("a", 1); m.put("b", 2); return m
Map m = new TreeMap(); m.put("b", 1); m.put("a", 2); return m
Map m = new LinkedHashMap(); m.z = 1; m.a = 2; return m
Map m = ['a': 1]; return m.a
Map m = ['a': 1]; m.b = 2; m['c'] = 3; return m
Map m = ['a': 1]; return m.get("zz")
Map m = ['a': 1]; return m.getOrDefault("zz", 7)
Map m = ['a': 1]; return m.containsKey("a")
Map m = ['a': 1]; return m.computeIfAbsent("b", k -> 5)
Map m = ['a': 1]; m.merge("a", 5, (x, y) -> x + y); return m
Map m = ['a': 1]; m.remove("a"); return m
Map m = ['a': 1, 'b': 2]; int s = 0; for (e in m.entrySet()) { s += e.getValue() } return s
Map m = ['a': 1, 'b': 2]; String s = ""; for (def e : m.entrySet()) { s += e.key + e.value } return s
Map m = ['a': 1, 'b': 2]; for (Map.Entry e : m.entrySet()) { e.setValue(9) } return m
Map m = ['a': 1, 'b': 2]; m.keySet().removeIf(k -> k == "a"); return m
Map m = ['a': 1, 'b': 2]; m.values().removeIf(k -> k == 1); return m
Map m = ['a': 1, 'b': 2]; m.entrySet().removeIf(e -> e.value == 1); return m
Map m = ['a': 1, 'b': 2]; for (k in m.keySet()) { m.remove(k) } return m
Map m = ['a': 1, 'b': 2]; m.forEach((k, v) -> k + v); return m.collect((k, v) -> k + v)
Map m = ['a': 1, 'b': 2]; return m.findAll((k, v) -> v > 1)
Map m = ['a': 1, 'b': 2]; return m.find((k, v) -> v > 1)
Map m = ['a': 1, 'b': 2]; return m.count((k, v) -> v > 1)
Map m = ['a': 1, 'b': 2]; return m.every((k, v) -> v > 1)
Map m = ['a': 1, 'b': 2]; return m.size() + m.values().sum()
Map m = ['one': 1, 'two': 2, 'three': 3, 'four': 4, 'five': 5, 'six': 6, 'seven': 7]; return m
Map m = [1: 'a', 2.5: 'b', true: 'c']; return m
params.m.keySet()
params.m.values()
params.m.entrySet()
params.m.empty
params.l.empty
params.o.stream().map(x -> x.k).distinct().collect(Collectors.toList())
params.o.stream().filter(x -> x.v > 1).count()
params.o.stream().mapToInt(x -> x.v).sum()
params.o.stream().mapToInt(x -> x.v).max().getAsInt()
params.o.stream().mapToDouble(x -> x.v).average().getAsDouble()
params.o.stream().collect(Collectors.groupingBy(x -> x.k))
params.o.stream().collect(Collectors.groupingBy(x -> x.k, Collectors.counting()))
params.o.stream().map(x -> x.k).collect(Collectors.joining(","))
params.o.stream().map(x -> x.k).collect(Collectors.toSet())
params.o.stream().collect(Collectors.toMap(x -> x.v, x -> x.k))
params.o.stream().collect(Collectors.toMap(x -> x.k, x -> x.v))
params.o.stream().anyMatch(x -> x.v == 2)
params.o.stream().sorted((a, b) -> b.v - a.v).map(x -> x.v).collect(Collectors.toList())
params.o.stream().map(x -> x.v).reduce(0, (a, b) -> a + b)
params.o.stream().map(x -> x.v).max(Comparator.naturalOrder()).get()
params.o.stream().findFirst().get()
params.o.stream().skip(1).limit(1).collect(Collectors.toList())
IntStream.range(0, 5).sum()
IntStream.rangeClosed(1, 3).mapToObj(x -> "n" + x).collect(Collectors.joining("|"))
params.l.stream().sorted(Comparator.reverseOrder()).collect(Collectors.toList())
params.l.stream().map(String::valueOf).collect(Collectors.joining())
Optional.of(1).map(x -> x + 1).get()
Optional.empty().isPresent()
Optional.empty().get()
Optional.ofNullable(null).orElse(5)
Objects.equals(1, 1)
Objects.hash(new def[] {1, 2})
Objects.requireNonNull(null)
Objects.toString(null)
UUID.fromString("00000000-0000-0001-0000-000000000002").toString()
new Random(42).nextInt(100)
new Random(42).nextInt()
new Random(42).nextDouble()
new Random(42).nextLong()
int f(int x) { return x * 2 } return f(4)
int fib(int n) { if (n < 2) { return n } return fib(n - 1) + fib(n - 2) } return fib(10)
def f(def x) { return x + 1 } return f("a")
void f(List l) { l.add(1) } List l = []; f(l); return l
int f(int x) { return x } return f(1L)
int f(int x) { x } return f(1)
int f(int x) { if (x > 1) { return x } } return f(1)
int f(int x) { return x } int f(int y) { return y } return f(1)
List l = [1, 2, 3]; return l.stream().map(this::g).collect(Collectors.toList())
def g(def x) { return x * 10 } return [1, 2].stream().map(this::g).collect(Collectors.toList())
Function f = x -> x + 1; return f.apply(4)
def f = x -> x + 1; return f.apply(4)
Supplier s = () -> 5; return s.get()
BiFunction f = (a, b) -> a * b; return f.apply(3, 4)
Predicate p = x -> x > 1; return p.negate().test(5)
Comparator c = (a, b) -> a - b; return c.compare(5, 3)
int y = 5; Function f = x -> x + y; return f.apply(4)
int y = 5; Function f = x -> { y = 6; return x }; return f.apply(4)
Function f = Integer::parseInt; return f.apply("12")
Supplier s = ArrayList::new; return s.get()
[1, 2].stream().map((a, b) -> a).count()
if (params.i > 2) { return "big" } else { return "small" }
if (params.i > 5) return 1; else if (params.i > 2) return 2; else return 3
int i = 0; while (i < 5) { i++; if (i == 3) break } return i
int i = 0; do { i++ } while (i < 5); return i
int s = 0; for (int i = 0, j = 10; i < j; i++, j--) { s += j - i } return s
int s = 0; for (int i = 0; i < 5; i++) { if (i % 2 == 0) { continue } s += i } return s
int s = 0; for (def x : params.l) { s += x } return s
int s = 0; for (x in params.l) s += x; return s
int s = 0; for (int x : new int[] {1, 2, 3}) { s += x } return s
for (x in params.s) { return x }
for (x in params.m) { int y = 1 } return 1
for (x in null) { int y = 1 } return 1
int[] a = new int[] {1, 2, 3}; return a[1] + a.length
int[][] a = new int[2][3]; a[1][2] = 5; return a[1][2] + a[0][0]
def a = new int[2]; a[0] = 7; return a[0]
String[] a = new String[2]; return a[0]
int[] a = new int[-1]
def[] a = new def[] {1, "x"}; return a[1]
int[] a = null; return a.length
int[] a = null; return a[0]
try { throw new IllegalStateException("x") } catch (IllegalStateException e) { return e.getMessage() }
try { throw new IllegalStateException("x") } catch (IllegalArgumentException e) { return 1 } 
try { return [1].get(5) } catch (IndexOutOfBoundsException e) { return "oob" }
try { def x = null; return x.foo() } catch (NullPointerException e) { return "npe" }
try { return Integer.parseInt("x") } catch (Exception e) { return e.toString() }
throw new Exception("checked")
throw null
throw "x"
boolean b = true; b = !b; return b
boolean b = 1
def b = true; return b && 1 > 0
def b = 1; return b && true
def b = 1; if (b) { return 1 }
int i = null
Integer i = null; return i
Integer i = 5; return i + 1
Integer i = null; return i + 1
Long l = 5; return l
long l = 5; int i = l; return i
long l = 5; int i = (int)l; return i
def d = 5L; int i = d; return i
def d = 5.5; int i = (int)d; return i
def d = "x"; int i = d; return i
def d = "x"; int i = (int)d; return i
def d = 1; String s = d; return s
def d = "x"; String s = d; return s
def d = [1]; Map m = d; return m
Object o = 5; return o
Object o = 5; int i = (int)o; return i
Number n = 5; return n.doubleValue()
List l = "x"
(List)"x"
(def)5
(String)5
(double)5
(byte)300
(char)97
(short)70000
1 instanceof String
def x = [1]; return x instanceof List
def x = [1]; return x instanceof Map
def x = null; return x instanceof Object
null == null
null === null
def x = null; return x == null
1 != 2
"a" != "b"
def x = 1, y = 1L; return x == y
def x = 1, y = 1.0; return x == y
def x = "a"; return x < "b"
def x = 1; return x < 2.5
def x = null; return x + 1
def x = null; return x < 1
def x = null; x += 1; return x
def x = 5; x++; return x
def x = 5; return x++ + ++x
def x = "a"; x++
def x = 2147483647; return x + 1
def x = 5; return -x
def x = "a"; return -x
def x = 5; return ~x
def x = true; return !x
def x = 5; return !x
def x = 6, y = 4; return x / y + x % y * x - y
def x = 6.0f, y = 4; return x / y
def x = 7, y = 2L; return x / y
def x = 7, y = 2; return x / (y * 1.0)
def x = 1; return x << 3
def x = 5, y = 3; return x & y | x ^ y
def x = true, y = false; return x & y
def x = (char)'a'; return x + 1
Map m = new HashMap(); m.a = 1; m.a += 5; m.a++; return m.a
def m = ['a': 1.5]; m.a += 1; return m
def m = ['a': 1]; m.a += 1.7; return m
def m = [:]; m.a.b = 1
def l = [1]; l[0] += 5; l.0 += 1; return l
def l = [1]; l[5] = 1
def s = "x"; s.foo = 1
def s = 5; s[0] = 1
5[0]
int x = 5; x.foo
int x = 5; x.toString()
int x = 5; return x.intValue()
return
return;
;
{}
// only a comment
/* comment */ 5
5 // comment
int class = 5
int if = 5
int x y = 5
int x = 5 int y = 6
(1 + 2
[1, 2
foo(
"a" "b"
1 +* 2
#
int x = ;
if (true) 1
if (params.t) 1
else 1
for (;;) { break }
while (false) { }
while (true) { return 1 }
do { return 1 } while (true)
List<String> l = null
new ArrayList<>()
x -> x
params.foo.bar
params.foo()
ctx
doc
_score
def x = 5; def y = 6; x = y = 7; return x + y
int i = 5; i = i++ + 1; return i
String s = "a"; s += null; return s
String s = null; return s + "x"
int i = 'a'
char c = "a"; return c
char c = 'ab'
Math.max("a", 1)
Math.PI = 5
String.foo
Integer.foo()
Foo.bar()
java.util.List l = [1]; return l
java.util.Map.of()
java.lang.Math.max(1, 2)
java.lang.Runtime.getRuntime()
Runtime.getRuntime()
Thread.sleep(1)
Class.forName("x")
this.getClass()
params.getClass()
"".getClass().forName("x")
def s = ""; s.getClass()
def s = ""; s.class
def s = ""; s.wait()
[].getClass()
new Object().getClass()
new Thread()
new ProcessBuilder("x")
Object o = new Object(); return o.equals(o)
def s = params.m; if (s.containsKey('a')) { s.a += 1 } return s
def l = params.l; if (l.contains(3)) { l.remove(l.indexOf(3)) } return l
for (item in params.o) { if (item.v == 2) { item.qty = 5; break; } } return params.o
params.o.removeIf(item -> item.v == params.i); return params.o
return params.o.stream().mapToDouble(i -> i.v * 1.5).sum()
params.m.c = (params.m.c == null ? 0 : params.m.c) + 1; return params.m
params.m.c = params.m.containsKey('c') ? params.m.c + 1 : 1; return params.m
Collections.sort(params.o, (a, b) -> b.v - a.v); return params.o
params.o.sort((a, b) -> b.v.compareTo(a.v)); return params.o
params.o.sort(Comparator.comparing(x -> x.k)); return params.o
params.m.putAll(['z': 1]); return params.m
params.m.computeIfAbsent('l', k -> []).add(5); return params.m
return Math.round(params.d * 100) / 100.0
return (int)(params.d * 10)
return Integer.parseInt("5") + params.i
String name = params.s + ' ' + params.i; return name.toUpperCase()
def total = 0; for (def e : params.m.entrySet()) { if (e.getValue() instanceof Integer) { total += e.getValue() } } return total
def seen = new HashSet(); def out = []; for (x in params.o) { if (seen.add(x.k)) { out.add(x.k) } } return out
Map counts = new HashMap(); for (x in params.o) { counts.merge(x.k, 1, Integer::sum) } return counts
Map counts = new TreeMap(); for (x in params.o) { counts.put(x.k, counts.getOrDefault(x.k, 0) + x.v) } return counts
def f = [:]; f.list = new ArrayList(); f.list.add(['a': 1]); return f
List l = params.l; int max = 0; for (int i = 0; i < l.size(); i++) { if (l.get(i) > max) { max = l.get(i) } } return max
List l = params.l; l.add(0, 9); l.set(1, 8); return l
def x = params.n; if (x == null || x.isEmpty()) { return "none" } return x
boolean has(def list, def v) { for (x in list) { if (x == v) { return true } } return false } return has(params.l, 2)
Map copy(Map m) { Map r = new HashMap(); for (k in m.keySet()) { r.put(k, m.get(k)) } return r } return copy(params.m)
def walk(def o) { if (o instanceof Map) { int n = 0; for (v in o.values()) { n += walk(v) } return n } if (o instanceof List) { int n = 0; for (v in o) { n += walk(v) } return n } return 1 } return walk(params)
return params.l.stream().map(x -> 'n' + x).collect(Collectors.joining(', ', '[', ']'))
return params.s.chars().filter(c -> c == (char)'a').count()
return params.o.stream().collect(Collectors.toMap(x -> x.v, x -> x)).get(2).k
String s = ''; for (int i = params.s.length() - 1; i >= 0; --i) { s += params.s.charAt(i) } return s
char c = params.s.charAt(0); return c == (char)'a'
params.s.charAt(0) == 'a'
params.s.substring(0, 1) == 'a'
def d = params.d; int i = (int)d; return i * 2
long l = params.big; return l / 1000
int i = params.i; long l = i; double d = l; return d
return params.i / 2 * 2.0
return params.i * 1.0 / 2
double avg = params.l.stream().mapToInt(x -> x).average().orElse(0); return avg
int sum = 0; params.l.forEach(x -> { sum += x }); return sum
def sum = [0]; params.l.forEach(x -> { sum[0] += x }); return sum[0]
return [1, 2, 3].stream().filter(x -> { return x > 1 }).map(x -> { int y = x * 2; return y }).collect(Collectors.toList())
return params.m.entrySet().stream().map(e -> e.getKey() + '=' + e.getValue()).sorted().collect(Collectors.joining('&'))
return params.m.entrySet().stream().filter(e -> e.key == 'a').findFirst().orElse(null)
if (params.t && params.i > 2 || params.n == null) { return 'yes' }
if (params.i == 3) { return 'three' } else if (params.i == 4) { return 'four' } return 'other'
def a = params.l, b = 5; return a.size() + b
int x = 1; { int y = 2; x += y } return x
int x = 1; if (x == 1) { int y = 2; x = y } int y = 9; return x + y
for (int i = 0; i < 2; i++) { int z = i } int z = 5; return z
List out = []; for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) { if (j == 1) continue; if (i == 2) break; out.add(i * 10 + j) } } return out
int i = 10; do { i -= 3; if (i < 3) break } while (true); return i
while (true) { if (params.t) { break } } return 1
int n = 0; while (n < 3) { ++n } return n
try { int x = params.i / 0 } catch (ArithmeticException e) { return 'div ' + e.getMessage() }
try { return params.s.foo } catch (IllegalArgumentException e) { return e.getMessage() }
try { throw new IllegalArgumentException('a') } catch (RuntimeException e) { throw new IllegalStateException('b') }
return params.l.length == 3 && params.s.length() == 3
return !params.t ? 1 : params.i > 5 ? 2 : 3
return params.n ?: params.zz ?: 'end'
return params?.zz?.yy
return params.l?.size()
int a = 5; a -= 2; a *= 3; a /= 2; a %= 3; a |= 8; a &= 12; a ^= 1; a <<= 2; a >>= 1; return a
return 07 + 010
return 1_000
return 'a' + 1 + 2
return 1 + 2 + 'a'
return '' + params.d + params.big + params.t + params.n
def m = ['a': ['b': ['c': 5]]]; m.a.b.c += 1; m['a']['b']['d'] = 7; return m
def l = [[1, 2], [3, 4]]; l[1][0] = 9; return l[1][0] + l[0][1]
def l = [1, 2, 3]; l[0]++; l[1] += 5; --l[2]; return l
int[] a = new int[3]; a[0]++; a[1] += 5; return a[0] + a[1]
def k = 'a'; return params.m[k] + params.m.get(k)
def fn = (a, b) -> a + b
return params.l.stream().reduce((a, b) -> a * b).get()
return params.l.stream().mapToLong(x -> x).sum()
return params.l.stream().max(Integer::compare).get()
return params.l.stream().sorted(Collections.reverseOrder()).collect(Collectors.toList())
return params.l.stream().map(Integer::toString).collect(Collectors.toList())
return params.l.stream().map(Object::toString).collect(Collectors.toList())
return Stream.of(new def[] {1, 2}).count()
return new ArrayList(params.m.keySet())
return params.m.keySet().toArray().length
return params.l.toArray()[0]
return params.m.values().stream().filter(x -> x instanceof String).count()
return params.m.equals(['a': 1, 'b': 'x'])
return params.l.hashCode() + params.m.hashCode()
return params.l.containsAll([1, 2])
return params.l.retainAll([1, 2]) ? params.l : null
List a = new LinkedList(params.l); a.addFirst(0); a.push(7); return a.pop() + a.peek()
Deque d = new ArrayDeque(); d.push(1); d.addLast(2); return d.pollLast() + d.size()
TreeMap t = new TreeMap(); t.put(1, 'a'); t.put(5, 'b'); return t.floorEntry(4).value + t.firstKey() + t.ceilingKey(2)
TreeSet t = new TreeSet(); t.addAll([5, 1, 3]); return t.first() + t.last()
StringBuilder b = new StringBuilder(); for (x in params.l) { if (b.length() > 0) b.append(','); b.append(x) } return b
return Math.floorMod(5, 3)
return "abc".chars().sum()
return Character.isLetter((char)'a')
long t = 1577934245678L; return t % 1000
return Long.valueOf(5L).equals(5L)
Integer a = Integer.valueOf(5); def b = a; return b + 1
return 5.0 == 5
return 5 == 5.0f
return 0.1f == 0.1
return 1.0 / 0
return -1.0 % 0
return 0.0 == -0.0
return String.format('%s-%d', new def[] {'a', 5})
return String.format('%05.2f|%,d|%x|%-5s|%b', new def[] {3.14159, 1234567, 255, 'ab', true})
return String.format('%d', new def[] {1.5})
return String.format('%s', new def[] {})
return String.format('%.1f %.0f %.3f', new def[] {0.25, 2.5, 1e-5})
BigDecimal.valueOf(1.5)
new BigDecimal("1.50").setScale(1, RoundingMode.HALF_UP)
new BigDecimal("2.345").setScale(2, RoundingMode.HALF_EVEN)
new BigDecimal("-2.5").setScale(0, RoundingMode.HALF_UP).intValue()
BigDecimal.valueOf(0.1).add(BigDecimal.valueOf(0.2)).doubleValue()
new BigDecimal("1.10").multiply(new BigDecimal("2.0"))
new BigDecimal("x")
new BigDecimal("1.5").setScale(0)
new BigInteger("99999999999999999999").add(new BigInteger("1"))
"aB".toLowerCase(Locale.ROOT)
params.s ==~ /abc/
params.s =~ /abc/
params.i.compareTo(4)
params.d.intValue() + params.big.longValue()
params.l + [1]
((Map)params.m).get("a")
return params.m.a++
params.i > 2 ? 1 : null
return params.i > 2 ? 1 : null
def x = params.i > 2 ? 1 : null; return x
def x = params.i > 2 ? null : 1; return x
Object x = params.i > 2 ? 1 : null; return x
Integer x = params.i > 2 ? 1 : null; return x
Long x = params.i > 2 ? 1L : null; return x
params.i > 2 ? 1 : 'x'
params.i > 2 ? 1 : 2.5
params.i > 2 ? true : null
params.i > 2 ? 'x' : null
params.i > 2 ? 1 : params.i
params.i > 2 ? null : null
String s = params.i > 2 ? 1 : 'x'; return s
Object x = params.i > 2 ? 1 : 'x'; return x
def x = params.i > 2 ? 1 : 'x'; return x
def x = params.i > 2 ? 1 : 2L; return x
Double x = 1
Double x = 1; return x
Double x = 1.0; return x
Double x = 1L; return x
Double x = 1f; return x
Float x = 1.0f; return x
Float x = 1; return x
Float x = 1.0; return x
Long x = 1; return x
Long x = 1L; return x
Integer x = 1; return x
Integer x = 1L; return x
Short x = 1; return x
Byte x = 1; return x
Character x = 'a'; return x
Character c = (char)'a'; return c
Boolean x = true; return x
Object o = 1; return o
Object o = 1L; return o
Object o = true; return o
Object o = 'x'; return o
Object o = (char)'a'; return o
Number n = 1; return n
Number n = 1.5; return n
Comparable c = 1; return c
def d = 1; Object o = d; return o
def d = 1; Double o = d; return o
def d = 1; double o = d; return o
def d = 1; Integer o = d; return o
def d = 1; Long o = d; return o
def d = 1; Number o = d; return o
int i = 1; Object o = i; return o
int i = 1; Double o = i; return o
int i = 1; Integer o = i; return o
int i = 1; Long o = i; return o
int i = 1; Number o = i; return o
Integer i = Integer.valueOf(1); int j = i; return j
Integer i = Integer.valueOf(1); long j = i; return j
Integer i = Integer.valueOf(1); double j = i; return j
Integer i = Integer.valueOf(1); Object o = i; return o
Integer i = Integer.valueOf(1); Number o = i; return o
Integer i = Integer.valueOf(1); Long o = i; return o
Integer i = Integer.valueOf(1); Double o = i; return o
Integer i = Integer.valueOf(1); short o = i; return o
Object o = (Object)1; return o
Object o = (Integer)1; return o
def o = (Integer)1; return o
def o = (Double)1; return o
def o = (Double)1.0; return o
def o = (Object)1; return o
def o = (Number)1; return o
Object[] o = new Object[1]; o[0] = 1; return o[0]
Object[] o = new Object[] {1, 'a'}; return o[0]
Integer[] o = new Integer[] {1}; return o[0]
List l = new ArrayList(); l.add(1); return l
List l = [1]; Object o = l.get(0); return o
Object f() { 1 } return f()
Object f() { return 1 } return f()
Integer f() { return 1 } return f()
Double f() { return 1 } return f()
def f() { return 1 } return f()
Object f(Object o) { return o } return f(1)
String f(Double o) { return '' + o } return f(1)
String f(Integer o) { return '' + o } return f(1)
String f(Number o) { return '' + o } return f(1)
Object o; o = 1; return o
Double o; o = 1; return o
Integer o; o = 1; return o
Integer o = 1; o = o + 1; return o
Integer o = 1; o += 1; return o
Integer o = 1; o++; return o
Object o = 1; o = 2; return o
Map m = [:]; m.a = 1; return m
Map m = ['a': 1]; return m
boolean b = Boolean.TRUE; return b
Boolean b = params.i > 2; return b
Object b = params.i > 2; return b
params.i > 2 ? Integer.valueOf(1) : null
params.i > 2 ? Integer.valueOf(1) : 2
params.i > 2 ? Integer.valueOf(1) : 2L
int x = params.i > 2 ? Integer.valueOf(1) : 2; return x
int x = params.i > 2 ? 1 : null; return x
Double x = params.i > 2 ? 1 : null; return x
Double x = params.i > 2 ? 1.0 : null; return x
Object x = params.i > 2 ? 1.0 : 2; return x
null ?: 1
params.n ?: 1
Integer x = null; return x ?: 1
Object x = null; return x ?: 1
Object x = params.n ?: 1; return x
Objects.hash(1)
Optional.of(1).get()
Optional.ofNullable(1).orElse(2)
Objects.requireNonNull(1)
String.valueOf((Object)1)
Collections.singletonList(1)
[1,2].contains(1)
[1,2].indexOf(2)
['a':1].getOrDefault('b', 2)
int i = 3; i.toString()
1.toString()
(1).equals(1)
1 == Integer.valueOf(1)
Integer.valueOf(1) == 1L
Integer.valueOf(1) + 1
Integer.valueOf(1) + Double.valueOf(2)
-Integer.valueOf(1)
!Boolean.TRUE
Boolean.TRUE && true
if (Boolean.TRUE) return 1; return 2
int[] a = new int[Integer.valueOf(2)]; return a.length
int[] a = new int[2]; return a[Integer.valueOf(1)]
Integer.valueOf(1).equals(1)
long x = Long.valueOf(1); return x
char c = Character.valueOf((char)'a'); return c
byte b = 1; Object o = b; return o
Object o = 1 + 1; return o
Object o = params.i + 1; return o
def f(Integer i) { return i } f(1)
int f() { return Integer.valueOf(1) } return f()
boolean f() { return Boolean.TRUE } return f()
int x = (int)Integer.valueOf(3); return x
long x = (long)Integer.valueOf(3); return x
double x = (double)Integer.valueOf(3); return x
Math.max(Integer.valueOf(1), 2)
Math.abs(Integer.valueOf(-1))
[1,2].get(Integer.valueOf(1))
Integer i = Integer.valueOf(1); i += 1; return i
Integer i = Integer.valueOf(1); i++; return i
int i = 1; i += Integer.valueOf(1); return i
int i = 1; i = Integer.valueOf(1); return i
for (int i : [1,2]) { return i } return 0
for (Integer i : [1,2]) { return i } return 0
for (Object i : new int[] {1}) { return i } return 0
for (long i : new int[] {1}) { return i } return 0
for (Integer i : new int[] {1}) { return i } return 0
while (Boolean.FALSE) {} return 1
Boolean.TRUE ? 1 : 2
Integer.valueOf(2) > 1
[3,1,2].stream().mapToInt(x -> x).sum()
[3,1,2].stream().map(x -> x + 1).collect(Collectors.toList())
List l = [3,1,2]; l.sort((a, b) -> a - b); return l
List l = [3,1,2]; l.sort((Integer a, Integer b) -> a.compareTo(b)); return l
[1,2].stream().mapToInt((Integer x) -> x).sum()
Function f = x -> 1; return f.apply(1)
Supplier f = () -> 1; return f.get()
Predicate f = x -> Boolean.TRUE; return f.test(1)
'a' + Integer.valueOf(1)
throw 1
int x = params.n; return x
Object x = params.i > 2 ? null : 1; return x
params.i > 2 ? null : 1
params.i > 2 ? 1 : (params.i > 4 ? 2 : null)
return params.i > 2 ? 1 : (params.i > 4 ? 2 : null)
[params.i > 2 ? 1 : null]
['x': params.i > 2 ? 1 : null]
Objects.equals(params.i > 2 ? 1 : null, 1)
Integer.valueOf(params.i > 2 ? 1 : 2)
def x; x = params.i > 2 ? 1 : null; return x
Map m = new HashMap(); m.put('a', params.i > 2 ? 1 : null); return m
Map m = new HashMap(); m.a = params.i > 2 ? 1 : null; return m
Map m = new HashMap(); m['a'] = 1; return m
List m = [0]; m[0] = 1; return m
List m = [0]; m[0] = params.i > 2 ? 1 : null; return m
(params.i > 2 ? 1 : null)
'x' + (params.i > 2 ? 1 : null)
def f() { params.i > 2 ? 1 : null } f()
def f(def p) { p > 3 ? 1 : null } f(params.i)
Object f(def p) { p > 3 ? 1 : null } f(params.i)
Object f(def p) { return p > 3 ? 1 : null } f(params.i)
Function f = x -> x > 3 ? 1 : null; return f.apply(4)
Function f = x -> { return x > 3 ? 1 : null }; return f.apply(4)
[1,5].stream().map(x -> x > 3 ? 1 : null).collect(Collectors.toList())
(1).compareTo(2)
int i = 3; i.compareTo(2)
double d = 3; d.isNaN()
true.toString()
Integer i = (Integer)null; return i
int i = (int)null; return i
def d = 1; Object o = d; int i = (int)o; return i
def d = 1; Number o = d; int i = (int)o; return i
def d = 1; Object o = d; long i = (long)o; return i
def d = 1; Number o = d; double i = (double)o; return i
def d = 1; Object o = d; int i = o; return i
def d = 1; Object o = d; Integer i = (Integer)o; return i
def d = 1; Object o = d; return Math.abs(o)
def d = 1; Number o = d; return Math.abs(o)
def d = 1; Object o = d; [1,2].get(o)
int s = 0; for (Integer i : new int[] {1}) { s += 1 } return s
int s = 0; for (Object i : new int[] {1}) { s += 1 } return s
int s = 0; for (long i : new int[] {1}) { s += i } return s
int s = 0; for (int i : new Integer[] {1}) { s += i } return s
int s = 0; for (int i : [1,2]) { s += i } return s
int s = 0; for (Integer i : [1,2]) { s += 1 } return s
int[] a = new int[] {Integer.valueOf(1)}; return a[0]
long[] a = new long[] {Integer.valueOf(1)}; return a[0]
Double[] a = new Double[] {1}; return a[0]
Object[] a = new Object[] {params.i > 2 ? 1 : null}; return a[0]
int[] a = new int[2]; a[0] = Integer.valueOf(1); return a[0]
Integer[] a = new Integer[2]; a[0] = 1; return a[0]
return (params.i > 2 ? 1 : null) ?: 2
return params.n ?: (params.i > 2 ? 1 : null)
def x = params.n ?: 1; return x
Integer x = params.n ?: 1; return x
Integer i = null; Integer x = i ?: 1; return x
Integer i = null; int x = i ?: 1; return x
int x = params.n ?: 1; return x
Integer i = Integer.valueOf(4); return i ?: 1
Integer i = Integer.valueOf(4); return i ?: 1L
Integer i = null; def x = i ?: 1L; return x
boolean b = params.i > 2; Object o = (def)b; return o
Object o = (def)1; return o
Integer o = (def)1; return o
int o = (def)Integer.valueOf(1); return o
String s = 'a'; char c = (char)s; return c
char c = (char)'a'; String s = (String)c; return s
char c = 'a'; return c
char c = (char)65; Character d = (def)c; return d
new Integer(1)
new Double(1.5)
StringBuilder b = new StringBuilder(); b.append(1); return b.toString()
StringBuilder b = new StringBuilder(); b.append(Integer.valueOf(1)); return b.toString()
List l = [1]; l.add(0, Integer.valueOf(2)); return l
Integer.valueOf(1) == Integer.valueOf(1)
Object o = params.i; return o == 5
Object o = params.i; return 5 == o
Integer i = Integer.valueOf(5); return i == params.i
Integer i = Integer.valueOf(5); return i == null
Integer i = Integer.valueOf(5); return i === 5
Boolean b = Boolean.TRUE; return b == true
Integer i = Integer.valueOf(5); return i + params.i
Integer i = Integer.valueOf(5); return '' + i
Integer i = Integer.valueOf(5); return i.intValue() + 1
Math.round(1.5) == 2
Long x = Math.round(1.5); return x
Double x = Math.sqrt(4); return x
Object x = 'a'.length(); return x
Object x = [1].size(); return x
def x = [1].size(); return x
Boolean b = [1].contains(1); return b
List l = new ArrayList(); Object x = l.add(1); return x
Map m = ['a':1]; Integer i = m.get('a'); return i
Map m = ['a':1]; int i = m.get('a'); return i
Map m = ['a':1]; int i = (int)m.get('a'); return i
Iterator it = [1].iterator(); int x = it.next(); return x
1 instanceof Object
params.i instanceof int
Object o = params.i > 2 ? 'a' : params.i; return o
if (params.i > 2 ? true : null) return 1; return 2
try { return 1 } catch (Exception e) { return 'a' }
int x = 1; x = params.i > 2 ? params.i : 2; return x
long x = params.i > 2 ? 1 : 2; return x
double x = params.i > 2 ? 1 : 2L; return x
int x = params.i > 2 ? 1 : 2L; return x
float x = 1.0; return x
byte b = 300; return b
return 1 == 1 ? 1 : 2
-'a'
~'a'
+'a'
~1.5
+Integer.valueOf(1)
~Integer.valueOf(1)
+true
~true
`
  .split('\n')
  .filter((line) => line.trim() !== '')
