// Reads a package's package.json, in the formats that packages have used over the years.

/** @typedef {Readonly<Record<string, unknown>>} Fields */

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression, '' where it names none
 * @property {string} holder who has the copyright
 * @property {string} source where its source is, '' where it doesn't say
 * @property {readonly string[]} dependencies that it doesn't run without
 * @property {readonly string[]} optional which are there on some platforms only, or lie beside it
 */

/** Packages whose package.json names no license, with their license. */
const SAID_ELSEWHERE = new Map([
  // A fork of zaach/jsonlint, whose README has "MIT License"; the fork changes no license.
  ['@mapbox/jsonlint-lines-primitives', 'MIT'],
]);

/**
 * @param {Fields} fields of package.json
 * @returns {Manifest}
 */
export function readManifest(fields) {
  const name = textOf(fields.name);
  const optional = namesIn(fields.optionalDependencies);
  return {
    name,
    version: textOf(fields.version),
    license: licenseOf(fields) || (SAID_ELSEWHERE.get(name) ?? ''),
    holder: holderOf(fields) || `the authors of ${name}`,
    source: sourceOf(fields),
    // npm lists an optional dependency in both.
    dependencies: namesIn(fields.dependencies).filter((dependency) => !optional.includes(dependency)),
    optional: [...optional, ...peersOf(fields)],
  };
}

/** @param {Fields} fields */
function licenseOf({ license, licenses }) {
  // The format before 2014: one object, or a list of alternatives.
  const named = [license ?? licenses].flat().map((one) => textOf(fieldsOf(one).type) || textOf(one));
  const known = named.filter((one) => one !== '');
  return known.length > 1 ? `(${known.join(' OR ')})` : (known[0] ?? '');
}

/** The holder without an email address: nobody agreed to have it shown on a page. @param {Fields} fields */
function holderOf({ author, contributors }) {
  const people = [author, contributors].flat().map((one) => textOf(fieldsOf(one).name) || textOf(one));
  return (people.find((one) => one !== '') ?? '').replace(/\s*[<(].*$/, '');
}

/** @param {Fields} fields */
function sourceOf({ repository, homepage }) {
  const address = textOf(fieldsOf(repository).url) || textOf(repository) || textOf(homepage);
  const web = address
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/^http:/, 'https:')
    .replace(/^(?:github:)?([\w.-]+\/[\w.-]+)$/, 'https://github.com/$1')
    .replace(/\.git$/, '');
  return web.startsWith('https://') ? web : '';
}

/**
 * The peer dependencies that the package doesn't run without. The others may be installed for other purposes here, such
 * as the compiler.
 * @param {Fields} fields
 */
function peersOf({ peerDependencies, peerDependenciesMeta }) {
  const meta = fieldsOf(peerDependenciesMeta);
  return namesIn(peerDependencies).filter((name) => fieldsOf(meta[name]).optional !== true);
}

/** @param {unknown} value */
function namesIn(value) {
  return Object.keys(fieldsOf(value));
}

/**
 * @param {unknown} value
 * @returns {Fields}
 */
function fieldsOf(value) {
  return typeof value === 'object' && value !== null ? /** @type {Fields} */ (value) : {};
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value.trim() : '';
}
