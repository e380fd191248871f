import { expect, it } from 'vitest';
import { packagesImportedBy } from '../../../../../server/setup/notices/importedPackages.mjs';

const KNOWN = ['a', '@scope/b', 'c'];

it.each([
  ["import x from 'a';", ['a']],
  ["import 'a';", ['a']],
  ['import { x } from "a/deep/file.js";', ['a']],
  ["import {\n  x,\n  y,\n} from '@scope/b';", ['@scope/b']],
  ["export { x } from 'a';", ['a']],
  ["export * from 'c';", ['c']],
  ["const x = await import('c');", ['c']],
  ["import x from './a';", []],
  ["import x from 'a-b';", []],
  ["import x from '@scope/other';", []],
  ["import fs from 'node:fs';", []],
  ["const text = 'a';", []],
])('finds the packages of %s', (code, packages) => {
  expect(packagesImportedBy(code, KNOWN)).toEqual(packages);
});
