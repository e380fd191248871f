// Stands in a support bundle for what must not leave the installation: the same text has the same stand-in throughout one bundle,
// and another in the next.
import { createHmac, randomBytes } from 'node:crypto';

/** Ten hex digits tell a million devices apart, and say nothing of a text to who has no salt to try others with. */
const DIGITS = 10;
const SALT_BYTES = 32;

export class Pseudonyms {
  /** Known to nobody, and gone with the bundle. */
  readonly #salt: Uint8Array;

  constructor(salt: Uint8Array = randomBytes(SALT_BYTES)) {
    this.#salt = salt;
  }

  /** `kind`: what the text is, as the reader of the bundle is to know it. Nothing stays nothing. */
  of(kind: string, text: string): string {
    if (text === '') return '';
    const digest = createHmac('sha256', this.#salt).update(`${kind}\0${text}`).digest('hex');
    return `${kind}-${digest.slice(0, DIGITS)}`;
  }
}
