// Which licenses a package that is shipped may have. Edit it on purpose.

/**
 * What asks for no more than its notice. MPL-2.0 also asks for the source of the files that it covers: we change none, and each
 * notice says where they are. `blessing` is SQLite's, and the last is of what has no owner.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
  'blessing',
  'LicenseRef-public-domain',
]);

/**
 * The licenses to ship under by an SPDX expression: all those of an `AND`, the first allowed side of an `OR`. Undefined where
 * the list has none that would do, and for what is no such expression.
 *
 * @param {string} expression
 * @param {ReadonlySet<string>} [allowed]
 * @returns {readonly string[] | undefined}
 */
export function licensesToShipUnder(expression, allowed = ALLOWED) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const { licenses, rest } = readOr(tokens, allowed);
  return rest.length === 0 ? licenses : undefined;
}

/**
 * What a part of an expression comes to, and the tokens behind it.
 * @typedef {{ readonly licenses: readonly string[] | undefined, readonly rest: readonly string[] }} Part
 */

/**
 * @param {readonly string[]} tokens
 * @param {ReadonlySet<string>} allowed
 * @returns {Part}
 */
function readOr(tokens, allowed) {
  const left = readAnd(tokens, allowed);
  if (left.rest[0] !== 'OR') return left;
  const right = readOr(left.rest.slice(1), allowed);
  return { licenses: left.licenses ?? right.licenses, rest: right.rest };
}

/**
 * Binds closer than `OR`.
 * @param {readonly string[]} tokens
 * @param {ReadonlySet<string>} allowed
 * @returns {Part}
 */
function readAnd(tokens, allowed) {
  const left = readOne(tokens, allowed);
  if (left.rest[0] !== 'AND') return left;
  const right = readAnd(left.rest.slice(1), allowed);
  const isAllowed = left.licenses !== undefined && right.licenses !== undefined;
  return { licenses: isAllowed ? [...left.licenses, ...right.licenses] : undefined, rest: right.rest };
}

/**
 * @param {readonly string[]} tokens
 * @param {ReadonlySet<string>} allowed
 * @returns {Part}
 */
function readOne([first, ...rest], allowed) {
  if (first !== '(') return { licenses: first !== undefined && allowed.has(first) ? [first] : undefined, rest };
  const inner = readOr(rest, allowed);
  // Without its end it is no expression: what is left over is refused by the caller.
  if (inner.rest[0] !== ')') return { licenses: undefined, rest: ['('] };
  return { licenses: inner.licenses, rest: inner.rest.slice(1) };
}
