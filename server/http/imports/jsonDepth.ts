const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether lists and objects are nested no deeper than this. Looks only at brackets and texts, so that it needs no stack. Pure. */
export function isJsonWithin(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at + 1);
    else if (sign === 0x5b || sign === 0x7b) {
      if (++depth > maxDepth) return false;
    } else if (sign === 0x5d || sign === 0x7d) depth--;
  }
  return true;
}

/** The place of the quotation mark that ends the text. */
function endOfText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at++;
  }
  return text.length;
}
