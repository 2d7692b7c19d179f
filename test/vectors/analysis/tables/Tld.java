import java.lang.reflect.*; import java.util.*; import java.nio.file.*;
public class Tld { static int[] row,trans,attr,act; static char[] cmap; static Set<String> out=new TreeSet<>(); static int urlAct; static Set<Integer> generic=new HashSet<>();
 static int step(int s,char c){ return trans[row[s]+cmap[c]]; }
 static int run(int s,String t){ for(char c: t.toCharArray()){ s=step(s,c); if(s<0) return -1; } return s; }
 static Object f(Class<?> k,String n) throws Exception { Field x=k.getDeclaredField(n); x.setAccessible(true); return x.get(null); }
 public static void main(String[] a) throws Exception { Class<?> k=Class.forName("org.apache.lucene.analysis.standard.UAX29URLEmailTokenizerImpl");
  row=(int[])f(k,"ZZ_ROWMAP"); trans=(int[])f(k,"ZZ_TRANS"); attr=(int[])f(k,"ZZ_ATTRIBUTE"); act=(int[])f(k,"ZZ_ACTION"); cmap=(char[])f(k,"ZZ_CMAP"); int[] lex=(int[])f(k,"ZZ_LEXSTATE");
  int s0=lex[0]; int sc=run(s0,"a.com"); System.err.println("com attr "+attr[sc]+" act "+act[sc]+" comx act "+act[run(s0,"a.comqqq")]+" net act "+act[run(s0,"a.net")]);
  urlAct=act[sc]; for(String g: new String[]{"qqqqqqqq","zqzqzqzqzq","q0q0q0","a1b2c3d4e5"}) generic.add(run(s0,"a."+g)); generic.add(run(s0,"a.a-9")); 
  dfs(run(s0,"a."),"","abcdefghijklmnopqrstuvwxyz"); dfs(run(s0,"a.xn--"),"xn--","abcdefghijklmnopqrstuvwxyz0123456789"); Files.write(Paths.get("tlds.txt"),out); System.err.println(out.size()); }
 static void dfs(int s,String p,String letters){ if(p.length()>26) return; for(char c: letters.toCharArray()){ int n=step(s,c); if(n<0||(step(n,(char)113)==n&&step(n,(char)122)==n&&step(n,(char)97)==n)) continue; String t=p+c; if((attr[n]&1)==1 && act[n]==urlAct) out.add(t); dfs(n,t,letters); } } }
