import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder, wherever a command is called from. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folders and files that the product is built from, and those that say how. */
export const builtFrom = ['pages', 'public', 'server', 'shared', 'simulator', 'workers'];
export const builtWith = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];

export const dist = join(root, 'dist');
/** What the gateway is made of: its code and, beside it, what the build says of itself. */
export const builtGateway = join(dist, 'gateway');
export const notices = join(builtGateway, 'notices.json');
export const buildStamp = join(builtGateway, 'build.json');
export const web = join(dist, 'web');
/** While the product is built: lists of the packages that its pages have. */
export const bundled = join(dist, '.bundled');

/** The scripts behind the commands of packages, so that none depends on how a platform links them; and two of ours. */
export const programs = {
  biome: join(root, 'node_modules/@biomejs/biome/bin/biome'),
  knip: join(root, 'node_modules/knip/bin/knip.js'),
  tsc: join(root, 'node_modules/typescript/bin/tsc'),
  tsx: join(root, 'node_modules/tsx/dist/cli.mjs'),
  vite: join(root, 'node_modules/vite/bin/vite.js'),
  vitest: join(root, 'node_modules/vitest/vitest.mjs'),
  checkNotices: join(root, 'server/setup/notices/check.mjs'),
  writeNotices: join(root, 'server/setup/notices/write.mjs'),
};
