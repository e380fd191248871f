import { randomBytes } from 'node:crypto';

/** A code for a type or a closing reason that an administrator adds: no built-in one has such a code. */
export function newCustomCode(): string {
  return `custom-${randomBytes(5).toString('hex')}`;
}
