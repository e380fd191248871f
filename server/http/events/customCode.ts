import { randomBytes } from 'node:crypto';

/** Of a type or a closing reason that an administrator adds: no built-in one is called so. */
export function newCustomCode(): string {
  return `custom-${randomBytes(5).toString('hex')}`;
}
