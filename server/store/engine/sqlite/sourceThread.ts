// The programs of worker threads when the gateway runs from source.
import { fileURLToPath } from 'node:url';

const programs = new Map<string, Promise<string>>();

/** The program of the database thread. */
export function sourceThread(): Promise<string> {
  return compiledThread(new URL('./sqlite.worker.ts', import.meta.url));
}

/**
 * JavaScript in one text, compiled once: a thread starts without a loader for TypeScript, and loading one takes six times as long as
 * opening a database.
 */
export function compiledThread(entry: URL): Promise<string> {
  const known = programs.get(entry.href);
  if (known !== undefined) return known;
  const program = compile(fileURLToPath(entry));
  programs.set(entry.href, program);
  return program;
}

async function compile(input: string): Promise<string> {
  // This compiler is a development tool: the compiled product has none, and never comes here. It runs in this process: a compiler in a
  // process of its own would take over standard error, and make it wait for whoever reads it.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input, platform: 'node', external: /^[^./]/, logLevel: 'silent' });
  try {
    const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, sourcemap: 'inline' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
