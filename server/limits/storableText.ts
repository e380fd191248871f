/** Text from outside as both engines keep it: PostgreSQL refuses a statement with U+0000 in it. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
