// Refuses text that the database cannot keep, for all calls at once: PostgreSQL takes no U+0000, and half a surrogate pair
// is no character in UTF-8, so that what is read back would differ from what was sent.
import type { FastifyInstance } from 'fastify';
import { Refused, refuse } from './envelope.ts';

export function installStorableTexts(app: FastifyInstance): void {
  // After the body was read and before anybody looks at it. Files come as bytes, and are judged cell by cell.
  app.addHook('preValidation', async (request, reply) => {
    const parts = [request.params, request.query, request.body];
    return parts.every(isStorable) ? undefined : refuse(reply, Refused.badText);
  });
}

const LONE_SURROGATE = /\p{Cs}/u;

/** Pure. Looks into lists and objects, names of fields included, however deep they are. */
export function isStorable(value: unknown): boolean {
  const values = [value];
  while (values.length > 0) {
    const each = values.pop();
    if (typeof each === 'string' && (each.includes('\u0000') || LONE_SURROGATE.test(each))) return false;
    if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each)) continue;
    for (const [name, inner] of Object.entries(each)) values.push(name, inner);
  }
  return true;
}
