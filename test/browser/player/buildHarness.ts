import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { afterAll, beforeAll } from 'vitest';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';

/** Builds a page of the tests' own, in development, where StrictMode mounts twice. Call once a file; gives its folder. */
export function builtHarness(name: 'harness' | 'screenHarness'): () => string {
  let folder: TempFolder | undefined;
  beforeAll(async () => {
    folder = await createTempFolder();
    await build({
      configFile: false,
      root: join(import.meta.dirname, name),
      mode: 'development',
      logLevel: 'warn',
      plugins: [react()],
      define: { 'process.env.NODE_ENV': '"development"' },
      build: { outDir: folder.path, emptyOutDir: true, minify: false },
      worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'workers/[name].js' } } },
    });
  });
  afterAll(() => folder?.remove());
  return () => {
    if (folder === undefined) throw new Error('the page is built in beforeAll');
    return folder.path;
  };
}
