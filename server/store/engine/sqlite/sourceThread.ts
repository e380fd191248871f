// The database thread's program where the gateway runs from source.
import { fileURLToPath } from 'node:url';

let program: Promise<string> | undefined;

/**
 * One text of JavaScript, made once: a thread starts with no loader for TypeScript, and to load one takes it six times as long
 * as to open a database.
 */
export function sourceThread(): Promise<string> {
  program ??= compile();
  return program;
}

async function compile(): Promise<string> {
  // A tool of development: the compiled product has none, and never comes here. It compiles in this process: a compiler that
  // is a process of its own would take over standard error, and make it wait for whoever reads it.
  const { rolldown } = await import('rolldown');
  const input = fileURLToPath(new URL('./sqlite.worker.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', external: /^[^./]/, logLevel: 'silent' });
  try {
    const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, sourcemap: 'inline' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
