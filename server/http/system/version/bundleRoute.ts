// `/api/version/bundle`: what a support bundle has in it, and where to download one.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DownloadAddress } from '../../../../shared/protocol/api/lists.ts';
import { BUNDLE_PATH, BundleContents } from '../../../../shared/protocol/api/system/bundle.ts';
import { createRunAfter, runEvery } from '../../../faults/timers.ts';
import type { OnLimit } from '../../../limits/limit.ts';
import { watchStalls } from '../../../recording/export/stallWatch.ts';
import type { SupportBundle } from '../../../support/bundle.ts';
import { answers } from '../../kernel/answers.ts';
import { ok, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { MAY_RUN_INSTALLATION } from './access.ts';

export interface BundleRoutesDeps {
  readonly supportBundle: SupportBundle;
  readonly onLimit: OnLimit;
}

const ASK_INTERVAL_MS = 1_000;
const TOO_MANY = {
  status: 429,
  code: 'too-many-bundles',
  message: 'Another support bundle is being downloaded. Try again in a moment.',
} as const;

export async function registerSupportBundle(app: FastifyInstance, deps: BundleRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const listing = { summary: 'What a support bundle has in it now', response: answers(BundleContents) };
  routes.get(BUNDLE_PATH, { schema: listing, config: MAY_RUN_INSTALLATION }, async () =>
    ok(await deps.supportBundle.contents()),
  );

  const offering = { summary: 'Gives where to download a support bundle', response: answers(DownloadAddress) };
  const config = { ...MAY_RUN_INSTALLATION, changes: [] } as const;
  routes.post(BUNDLE_PATH, { schema: offering, config }, async (request) => {
    const { access } = MAY_RUN_INSTALLATION;
    const address = app.downloads.offer(request, {
      access,
      send: (current, answer, isAllowed) => send({ request: current, reply: answer, isAllowed }, deps),
    });
    return ok({ address });
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly isAllowed: () => Promise<boolean>;
}

async function send(
  { request, reply, isAllowed }: Exchange,
  { supportBundle, onLimit }: BundleRoutesDeps,
): Promise<FastifyReply> {
  const bundle = await supportBundle.open();
  if (bundle === undefined) return refuse(reply, TOO_MANY);
  reply.raw.once('close', () => bundle.destroy());
  try {
    await recordAudit(request, { action: 'support.bundle' });
  } catch (error) {
    bundle.destroy();
    throw error;
  }
  // The browser may have gone while the parts were read.
  if (reply.raw.destroyed) bundle.destroy();
  const stopAsking = runEvery(
    ASK_INTERVAL_MS,
    async () => {
      if (!(await isAllowed())) bundle.destroy();
    },
    () => undefined,
  );
  bundle.once('close', stopAsking);
  const body = watchStalls(bundle, {
    runAfter: createRunAfter((error) => request.log.error({ err: error }, 'support bundles')),
    // There is one place: whoever crawls keeps everybody else from it.
    isWaitedFor: () => true,
    onStalled: (limit) => {
      onLimit(limit);
      bundle.destroy();
      reply.raw.destroy();
    },
  });
  body.once('error', (error) => request.log.info({ err: error }, 'a support bundle broke off'));
  const moment = new Date(request.server.audit.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="support-bundle_${moment}.zip"`)
    .send(body);
}
