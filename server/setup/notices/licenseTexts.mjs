// The text of a package's license: its own files, or else the standard text of its license.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exists, filesBelow } from '../files.mjs';
import { licensesToShipUnder } from './licenses.mjs';

/** @typedef {import('./installed.mjs').InstalledPackage} InstalledPackage */

/** A component may be named `Copyright`, but its file is not a license text. */
const LICENSE_FILE =
  /^(?:un)?(?:licen[cs]e|copying|notice|copyright(?:notice)?)(?:[-.](?:md|txt|markdown|[A-Z0-9]+))*$/i;
const CODE_FILE = /\.(?:[cm]?[jt]sx?|json|map|css|html)$/i;

/**
 * Undefined where there is no text and none can be put together.
 * @param {InstalledPackage} one
 * @param {readonly InstalledPackage[]} all which may be shipped beside it
 * @returns {string | undefined}
 */
export function licenseText(one, all) {
  const inside = licenseFiles(one.folder);
  const own = inside.filter((path) => dirname(path) === one.folder);
  const first = own.length > 0 ? joined(own) : (textOfWhole(one, all) ?? standardText(one));
  if (first === undefined) return undefined;
  // Third-party code that a package includes brings its own text along.
  const others = inside.filter((path) => !own.includes(path));
  return others.length > 0 ? `${first}${RULE}${joined(others)}` : first;
}

/**
 * A binary for one platform is a package of its own, whose license is in the package that depends on it.
 * @param {InstalledPackage} one
 * @param {readonly InstalledPackage[]} all
 */
function textOfWhole(one, all) {
  const whole = all.find(
    ({ name, optional, version, license }) =>
      optional.includes(one.name) && name !== one.name && version === one.version && license === one.license,
  );
  const files = whole === undefined ? [] : filesOf(whole.folder).filter(isLicense);
  return files.length > 0 ? joined(files) : undefined;
}

/**
 * @param {Pick<InstalledPackage, 'license' | 'holder'>} one
 * @returns {string | undefined}
 */
export function standardText({ license, holder }) {
  const files = (licensesToShipUnder(license) ?? []).map((id) => join(import.meta.dirname, 'texts', `${id}.txt`));
  if (files.length === 0 || !files.every(exists)) return undefined;
  return joined(files).replaceAll('<holder>', holder);
}

/** @param {string} folder */
function licenseFiles(folder) {
  return filesBelow(folder)
    .filter(isLicense)
    .filter((path) => !path.slice(folder.length).includes('node_modules'));
}

/** @param {string} folder */
function filesOf(folder) {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** @param {string} path */
function isLicense(path) {
  return LICENSE_FILE.test(basename(path)) && !CODE_FILE.test(path);
}

const RULE = `\n\n${'-'.repeat(80)}\n\n`;

/** The texts of the files, equal ones only once. @param {readonly string[]} files */
function joined(files) {
  const texts = [...files].sort().map((path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim());
  return [...new Set(texts)].join(RULE);
}
