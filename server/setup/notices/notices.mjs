// The notices of what is shipped, and what is wrong with them.
import { licensesToShipUnder } from './licenses.mjs';
import { licenseText, standardText } from './licenseTexts.mjs';
import { materialsIn } from './materials.mjs';

/** @typedef {import('./installed.mjs').InstalledPackage} InstalledPackage */
/** @typedef {'browser' | 'gateway' | 'both'} ShippedIn */

/**
 * @typedef {object} Notice
 * @property {string} name
 * @property {string} version '' where it has none
 * @property {string} license an SPDX expression
 * @property {ShippedIn} shippedIn
 * @property {string} source the address of its source, '' where its author names none
 * @property {string} text
 */

/** @typedef {Omit<Notice, 'text'> & { readonly text: string | undefined }} Draft of which the text may be missing */

/**
 * A notice for each version of a package, and one for each material in it, by name.
 * @param {{ readonly browser: readonly InstalledPackage[], readonly gateway: readonly InstalledPackage[] }} shipped
 * @returns {Draft[]}
 */
export function draftNotices({ browser, gateway }) {
  const packages = [...new Map([...browser, ...gateway].map((one) => [keyOf(one), one])).values()];
  const [inBrowser, inGateway] = [browser, gateway].map((list) => new Set(list.map(keyOf)));
  /** @param {InstalledPackage} one @returns {ShippedIn} */
  const shippedIn = (one) => {
    if (inBrowser?.has(keyOf(one)) !== true) return 'gateway';
    return inGateway?.has(keyOf(one)) === true ? 'both' : 'browser';
  };
  const ofPackages = packages.map((one) => ({
    name: one.name,
    version: one.version,
    license: one.license,
    shippedIn: shippedIn(one),
    source: one.source,
    text: licenseText(one, packages),
  }));
  const ofMaterials = materialsIn(packages).map((material) => ({
    name: material.name,
    version: material.number,
    license: material.license,
    shippedIn: shippedIn(material.package),
    source: material.source,
    text: standardText(material),
  }));
  return [...ofPackages, ...ofMaterials].sort((a, b) => order(`${a.name} ${a.version}`, `${b.name} ${b.version}`));
}

/** @param {Pick<InstalledPackage, 'name' | 'version'>} one */
function keyOf({ name, version }) {
  return `${name}@${version}`;
}

/** @param {string} a @param {string} b */
function order(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * What keeps these from being shipped, a line each.
 * @param {readonly Draft[]} drafts
 * @returns {readonly string[]}
 */
export function complaintsAbout(drafts) {
  return drafts.flatMap(({ name, version, license, text }) => {
    const it = `${name} ${version}`.trim();
    if (license === '') return [`${it} names no license.`];
    if (licensesToShipUnder(license) === undefined)
      return [`${it} has the license ${license}, which is not on the list in server/setup/notices/licenses.mjs.`];
    return text === undefined ? [`${it} has no text of its license, and server/setup/notices/texts has none.`] : [];
  });
}
