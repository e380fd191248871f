import { createHash } from 'node:crypto';

/** The box that server/auth makes. */
export interface SecretBox {
  seal(text: string, context: string): string;
  /** Undefined for a text that was sealed with another key, or for another context. */
  open(sealed: string, context: string): string | undefined;
}

/** Sealed text that is moved to another row does not open there. */
export const senderContext = (senderId: number): string => `sender:${senderId}`;
export const pushContext = (userId: number): string => `push:${userId}`;

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
