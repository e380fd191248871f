// An event with everything that is kept of it, as one signed archive that is written as it is downloaded.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EVENTS_PATH, EventIdParams } from '../../../../shared/protocol/api/events.ts';
import { DownloadAddress } from '../../../../shared/protocol/api/lists.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import type { EvidenceSigner } from '../../../events/evidence/signingKey.ts';
import { createRunAfter, runEvery } from '../../../faults/timers.ts';
import type { OnLimit } from '../../../limits/limit.ts';
import { watchStalls } from '../../../recording/export/stallWatch.ts';
import type { EventEvidenceStore } from '../../../store/events/eventEvidence.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { NO_EVENT } from '../eventMediaRoutes.ts';
import { openPackage } from './packageArchive.ts';
import { type PackageSources, packageContents } from './packageContents.ts';
import { PackagePlaces } from './packagePlaces.ts';

export interface PackageDeps extends PackageSources {
  readonly stores: PackageSources['stores'] & { readonly eventEvidence: EventEvidenceStore };
  readonly signer: EvidenceSigner;
  readonly onLimit: OnLimit;
}

const access = { kind: 'permissions', all: [Permission.Event, Permission.Evidence] } as const;
const ASK_INTERVAL_MS = 1_000;
const TOO_MANY = {
  status: 429,
  code: 'too-many-packages',
  message: 'Too many evidence packages are being written. Try again later.',
} as const;

/** `POST /api/event/events/:id/package`. */
export function registerPackage(app: FastifyInstance, deps: PackageDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const places = new PackagePlaces(deps.onLimit);
  const schema = {
    summary: 'Gives where to download all that is kept of an event, signed',
    params: EventIdParams,
    response: answers(DownloadAddress),
  };
  routes.post(`${EVENTS_PATH}/:id/package`, { schema, config: { access, changes: [] } }, async (request, reply) => {
    const eventId = Number(request.params.id);
    if ((await findFor(request, deps, eventId)) === undefined) return refuse(reply, NO_EVENT);
    const address = app.downloads.offer(request, {
      access,
      send: (current, answer, isAllowed) => send({ request: current, reply: answer, isAllowed }, eventId, deps, places),
    });
    return ok({ address });
  });
}

function findFor(request: FastifyRequest, { stores }: PackageDeps, eventId: number) {
  return stores.eventEvidence.find(eventId, scopeOf(callerOf(request)).memberGroup);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly isAllowed: () => Promise<boolean>;
}

async function send(
  { request, reply, isAllowed }: Exchange,
  eventId: number,
  deps: PackageDeps,
  places: PackagePlaces,
): Promise<FastifyReply> {
  const evidence = await findFor(request, deps, eventId);
  if (evidence === undefined) return refuse(reply, NO_EVENT);
  const leave = places.enter(callerOf(request).user.id);
  if (leave === undefined) return refuse(reply, TOO_MANY);
  const gone = new AbortController();
  const stopAsking = runEvery(
    ASK_INTERVAL_MS,
    async () => {
      if (!(await isAllowed())) gone.abort();
    },
    () => undefined,
  );
  const end = (): void => {
    gone.abort();
    stopAsking();
    leave();
  };
  reply.raw.once('close', end);
  if (reply.raw.destroyed) end();
  try {
    const files = await packageContents(evidence, deps, gone.signal);
    await recordAudit(request, { action: 'event.package', target: evidence.device.deviceId, detail: { id: eventId } });
    const archive = openPackage(files, deps.signer, new Date(evidence.event.begin_at_ms));
    const body = watchStalls(archive, {
      runAfter: createRunAfter((error) => request.log.error({ err: error }, 'evidence packages')),
      isWaitedFor: () => places.areTaken,
      // Whoever doesn't read any more would keep others from their packages.
      onStalled: (limit) => {
        deps.onLimit(limit);
        gone.abort();
        reply.raw.destroy();
      },
    });
    gone.signal.addEventListener('abort', () => body.destroy(), { once: true });
    body.once('error', (error) => request.log.info({ err: error }, 'an evidence package broke off'));
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="event-${eventId}.zip"`)
      .send(body);
  } catch (error) {
    end();
    throw error;
  }
}
