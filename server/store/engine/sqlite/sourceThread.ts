// The programs of threads where the gateway runs from source.
import { fileURLToPath } from 'node:url';

const programs = new Map<string, Promise<string>>();

/** That of the database thread. */
export function sourceThread(): Promise<string> {
  return compiledThread(new URL('./sqlite.worker.ts', import.meta.url));
}

/**
 * One text of JavaScript, made once: a thread starts with no loader for TypeScript, and to load one takes it six times as long
 * as to open a database.
 */
export function compiledThread(entry: URL): Promise<string> {
  const known = programs.get(entry.href);
  if (known !== undefined) return known;
  const program = compile(fileURLToPath(entry));
  programs.set(entry.href, program);
  return program;
}

async function compile(input: string): Promise<string> {
  // A tool of development: the compiled product has none, and never comes here. It compiles in this process: a compiler that
  // is a process of its own would take over standard error, and make it wait for whoever reads it.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input, platform: 'node', external: /^[^./]/, logLevel: 'silent' });
  try {
    const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, sourcemap: 'inline' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
