// Writes the notices of what a build ships, and fails where something may not be shipped. Run by the build, when all else is built.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { filesBelow } from '../files.mjs';
import { builtGateway, bundled, notices, root } from '../paths.mjs';
import { packagesImportedBelow } from './importedPackages.mjs';
import { closureOf, readPackage } from './installed.mjs';
import { complaintsAbout, draftNotices } from './notices.mjs';

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const imported = packagesImportedBelow(builtGateway, Object.keys(dependencies));
/** @type {readonly string[]} */
const folders = filesBelow(bundled).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
const packages = draftNotices({
  browser: [...new Set(folders)].map(readPackage),
  gateway: closureOf(root, imported),
});
const complaints = complaintsAbout(packages);
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) writeFileSync(notices, JSON.stringify({ packages }));
else process.exitCode = 1;
