// What counts as a mail address wherever one is entered: one that is taken there can also be sent to.

const PART = '[^\\s@<>,;:"()[\\]\\\\\\u0000-\\u001f\\u007f]+';
/** Nothing in it ends an address in a header or an envelope, or begins a comment, a group or a list. */
export const MAIL_ADDRESS_PATTERN = `${PART}@${PART}`;

const WHOLE = new RegExp(`^${MAIL_ADDRESS_PATTERN}$`, 'u');

export function isMailAddress(text: string): boolean {
  return WHOLE.test(text);
}
