import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vite';
import { bundledPackages } from '../../server/setup/notices/bundledPackages.mjs';
import { scriptGroups } from '../../server/setup/scriptGroups.mjs';
import { common } from '../../vite.config.ts';

const root = import.meta.dirname;
const packages = bundledPackages('innerPages');

/** One bundle per page that stands here, so that a page loads nothing of another. */
const input = Object.fromEntries(
  readdirSync(root)
    .filter((name) => name.endsWith('.html'))
    .map((name) => [basename(name, '.html'), join(root, name)]),
);

// Apart from the four entries, which stay independent of what they frame.
export default defineConfig({
  ...common,
  plugins: [...common.plugins, packages],
  root,
  base: '/innerpage/',
  publicDir: false,
  // The wall plays through the same workers as the video pages.
  worker: { format: 'es', plugins: () => [packages] },
  build: {
    ...common.build,
    outDir: join(root, '../../dist/web/innerpage'),
    rolldownOptions: { input, output: { codeSplitting: scriptGroups(Object.values(input), Object.values(input)) } },
  },
});
