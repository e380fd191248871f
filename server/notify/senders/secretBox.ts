import { createHash } from 'node:crypto';

/** As server/auth makes it. */
export interface SecretBox {
  seal(text: string, context: string): string;
  /** Undefined for what was sealed with another key, or for another context. */
  open(sealed: string, context: string): string | undefined;
}

/** Sealed text that is moved to another row does not open there. */
export const senderContext = (senderId: number): string => `sender:${senderId}`;
export const pushContext = (userId: number): string => `push:${userId}`;

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
