import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFolderOf } from '../../../../../server/setup/notices/bundledPackages.mjs';
import { root } from '../../../../../server/setup/paths.mjs';

it.each([
  ['/site/node_modules/react/index.js', '/site/node_modules/react'],
  ['/site/node_modules/@mui/material/Button/Button.mjs', '/site/node_modules/@mui/material'],
  ['/site/node_modules/a/node_modules/b/x.js?v=1', '/site/node_modules/a/node_modules/b'],
  ['\0/site/node_modules/react/index.js?commonjs-es-import', '/site/node_modules/react'],
  ['C:\\site\\node_modules\\@mui\\material\\x.js', 'C:\\site\\node_modules\\@mui\\material'],
  ['\0vite/preload-helper.js', join(root, 'node_modules/vite')],
  ['\0rolldown/runtime.js', join(root, 'node_modules/rolldown')],
  ['/site/pages/live/main.tsx', undefined],
  ['\0virtual', undefined],
])('%j lies in %j', (id, folder) => {
  expect(packageFolderOf(id)).toBe(folder);
});
