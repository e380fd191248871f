// Fails where a package that may be shipped has a license that is not on the list. Works without a build: it looks at all that
// `dependencies` of package.json bring along, of which the build ships a part, and at what the bundler adds.
// An argument names another folder with a package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../paths.mjs';
import { ADDED_BY } from './bundledPackages.mjs';
import { closureOf, findPackage, readPackage } from './installed.mjs';
import { complaintsAbout, draftNotices } from './notices.mjs';

const folder = process.argv[2] ?? root;
const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const bundlers = ADDED_BY.map((name) => findPackage(folder, name)).filter((found) => found !== undefined);
const all = [...closureOf(folder, Object.keys(dependencies)), ...bundlers.map(readPackage)];
const complaints = complaintsAbout(draftNotices({ browser: all, gateway: [] }));
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
