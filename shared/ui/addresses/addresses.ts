// Plain addresses of a step: mail addresses and phone numbers. Pure.

/** The addresses in a typed or pasted text, separated by commas, semicolons or line breaks. */
export function addressesOf(text: string): readonly string[] {
  const parts = text.normalize('NFKC').split(/[,;\n]/);
  return parts.map(cleaned).filter((part) => part !== '');
}

/** Phone numbers are written with spaces, hyphens and brackets, and dialed without. */
function cleaned(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('+') ? trimmed.replace(/[\s().-]/g, '') : trimmed;
}

/** The kind of senders that use the address; undefined for a text that is no address. */
export function kindOfAddress(text: string): 'email' | 'sms' | undefined {
  if (/^\+[1-9]\d{5,14}$/.test(text)) return 'sms';
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) ? 'email' : undefined;
}

export function isAddress(text: string): boolean {
  return kindOfAddress(text) !== undefined;
}

/** The addresses before and those of the text, each once. */
export function withAddresses(before: readonly string[], text: string): readonly string[] {
  return [...new Set([...before, ...addressesOf(text)])];
}
