import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundledPackages } from '../../../../server/setup/notices/bundledPackages.mjs';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { writeTree } from './tree.ts';

let folder: TempFolder;
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(() => folder.remove());

/** A package with one module, whose only export says its name. */
function aPackage(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const files = {
    'package.json': { name, version: '1.0.0', main: 'index.js' },
    'index.js': `export default "${name}";`,
  };
  return Object.fromEntries(
    Object.entries({ ...files, ...more }).map(([path, content]) => [`node_modules/${name}/${path}`, content]),
  );
}

it('lists the packages of a build: of its pages, their parts, workers, styles and files, and what they were made of', async () => {
  const root = realpathSync(folder.path);
  writeTree(root, {
    'index.html': '<script type="module" src="/main.js"></script>',
    'main.js': `import page from 'page';
      import unused from 'unused';
      import 'styled/style.css';
      import file from 'with-file/data.json?url';
      console.log(page, file, new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));
      import('./later.js').then(console.log);`,
    'later.js': `export { default } from '@scope/later';`,
    'worker.js': `import worker from 'in-worker'; postMessage(worker);`,
    ...aPackage('page', {
      'index.js.map': { sources: ['../node_modules/inlined/src/index.js', '../node_modules/gone/x.js', null] },
    }),
    ...aPackage('inlined'),
    ...aPackage('unused'),
    ...aPackage('styled', { 'style.css': 'body { margin: 0 }' }),
    ...aPackage('with-file', { 'data.json': '{}' }),
    ...aPackage('@scope/later'),
    ...aPackage('in-worker'),
  });
  const packages = bundledPackages('list', join(root, 'lists'));
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [packages],
    worker: { format: 'es', plugins: () => [packages] },
    build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  const folders: string[] = JSON.parse(readFileSync(join(root, 'lists/list.json'), 'utf8'));
  const own = folders.filter((path) => path.startsWith(root)).map((path) => relative(join(root, 'node_modules'), path));
  expect(own).toEqual(['@scope/later', 'in-worker', 'page', 'styled', 'with-file'].concat('inlined').sort());
  // What loads the part that comes later is Vite's own code.
  expect(folders.some((path) => path.endsWith('node_modules/vite'))).toBe(true);
});
