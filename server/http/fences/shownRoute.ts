// The fences that are on every member's maps.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { FENCES_SHOWN_PATH, ShownFences } from '../../../shared/protocol/api/fences/fences.ts';
import { guardStream } from '../../faults/streams.ts';
import type { StoredFence } from '../../store/fences/fences.ts';
import { createYielder } from '../devices/import/yielder.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import type { FenceDeps } from './fenceDeps.ts';
import { isInForce, toShownFence } from './fenceRows.ts';

/** `GET /api/fence/shown`: the geofences that are active now. A browser that has them is told so instead of receiving them again. */
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
    return reply
      .type('application/json; charset=utf-8')
      .serializer((payload: unknown) => payload as string)
      .send(guardStream(Readable.from(textOf(shown), { objectMode: false })));
  });
}

/** Hundreds of thousands of vertices are not written at once, which would hold the thread that relays media. */
async function* textOf(fences: readonly StoredFence[]): AsyncGenerator<string> {
  const yieldIfDue = createYielder();
  yield '{"error":false,"data":[';
  for (const [at, fence] of fences.entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(toShownFence(fence))}`;
    const pause = yieldIfDue();
    if (pause !== undefined) await pause;
  }
  yield ']}';
}
