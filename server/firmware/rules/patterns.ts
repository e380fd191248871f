// Patterns of models and versions, in which `*` stands for any characters. Pure.

/** In small letters or large. Takes time proportional to both lengths, whatever the pattern. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.trim().toLowerCase().split('*');
  const whole = text.trim().toLowerCase();
  if (!whole.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return whole === first;
  let at = first.length;
  for (const part of rest) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return whole.length - last.length >= at && whole.endsWith(last);
}

/** '' fits everything. */
export function fitsPatternOrAny(pattern: string, text: string): boolean {
  return pattern.trim() === '' || fitsPattern(pattern, text);
}
