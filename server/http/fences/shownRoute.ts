// The fences that are on every member's maps.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { FENCES_SHOWN_PATH, ShownFences } from '../../../shared/protocol/api/fences/fences.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok } from '../kernel/envelope.ts';
import type { FenceDeps } from './fenceDeps.ts';
import { isInForce, toShownFence } from './fenceRows.ts';

/** `GET /api/fence/shown`: those that are in force now. A browser that has them is told so instead of being sent them again. */
export function registerShownFences(app: FastifyInstance, { stores, now }: FenceDeps): void {
  const schema = { summary: 'The geofences on maps', response: answers(ShownFences) };
  const config = { access: { kind: 'signed-in' } } as const;
  app.get(FENCES_SHOWN_PATH, { schema, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const fences = await stores.fences.ofGroup(memberGroup);
    const shown = fences.filter((fence) => isInForce(fence, now()));
    // Outlines are of a version: hashing all of them would hold the thread that relays media.
    const versions = shown.map(({ id, version, changedAtMs }) => [id, version, changedAtMs]);
    const hash = createHash('sha256')
      .update(JSON.stringify([memberGroup, versions]))
      .digest('base64url');
    const etag = `"${hash}"`;
    reply.header('cache-control', 'private, no-cache').header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return ok(shown.map(toShownFence));
  });
}
