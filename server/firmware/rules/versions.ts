// Decides which of two firmware versions is newer. Vendors write them in their own ways: V1.10, 2.03b, T3-20261101. Pure.

/** Negative where the first is older, 0 where both are the same version, such as `v1.02` and `V1.2`. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareParts(left[at], right[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** The alternating numbers and words of a version; separators mean nothing. */
function partsOf(version: string): readonly string[] {
  const text = version.trim().toLowerCase();
  const withoutSign = text.replace(/^v(?:er(?:sion)?)?[\s.:_-]*(?=\d)/, '');
  return withoutSign.match(/\d+|\p{L}+/gu) ?? [];
}

function compareParts(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return ranked(one) - ranked(other);
  const [isNumber, isOtherNumber] = [/^\d/.test(one), /^\d/.test(other)];
  if (isNumber && isOtherNumber) return compareDigits(one, other);
  // 1.2.1 is newer than 1.2b: a number outranks a letter.
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}

/** Rank of a part compared to a missing one: 1.2.0 equals 1.2, 1.2-beta comes before 1.2, and 1.2b after it. */
function ranked(part: string | undefined): number {
  if (part === undefined || /^0+$/.test(part)) return 0;
  return /^(?:alpha|beta|rc|pre|preview|dev|test)$/.test(part) ? -1 : 1;
}

/** Dates and hashes have more digits than numbers hold exactly. */
function compareDigits(one: string, other: string): number {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
