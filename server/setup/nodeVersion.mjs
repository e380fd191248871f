/**
 * One line for a Node that is too old, null for one that will do. Old versions of Node run this, hence the plain syntax.
 * @param {string} version such as 20.19.0
 * @param {string} range package.json's engines.node, of the form >=20.19.0
 * @returns {string | null}
 */
export function nodeComplaint(version, range) {
  const floor = range.replace('>=', '');
  if (asNumber(version) >= asNumber(floor)) return null;
  return `Node ${floor} or newer is needed; this is Node ${version}. See https://nodejs.org.`;
}

/** @param {string} version */
function asNumber(version) {
  const [major, minor, patch] = version.split('.').map((part) => Number.parseInt(part, 10));
  return (Number(major) * 1000 + Number(minor)) * 1000 + Number(patch);
}
