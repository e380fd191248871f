import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, wherever a command is called from. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export const dist = join(root, 'dist');
export const gateway = join(dist, 'gateway/server');
export const web = join(dist, 'web');

/** The scripts behind the commands of packages, so that none depends on how a platform links them. */
export const programs = {
  biome: join(root, 'node_modules/@biomejs/biome/bin/biome'),
  tsc: join(root, 'node_modules/typescript/bin/tsc'),
  tsx: join(root, 'node_modules/tsx/dist/cli.mjs'),
  vite: join(root, 'node_modules/vite/bin/vite.js'),
  vitest: join(root, 'node_modules/vitest/vitest.mjs'),
};
