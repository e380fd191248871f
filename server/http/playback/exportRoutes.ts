// Exports: the download itself, and what its page asks about it and says to it meanwhile.
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { type ExportPlan, planExport } from '../../recording/export/exportChannel.ts';
import { openExport } from '../../recording/export/exportFiles.ts';
import type { ExportJobs } from '../../recording/export/exportJobs.ts';
import { archiveName, filmName } from '../../recording/export/fileNames.ts';
import type { GroupLibrary } from '../../recording/playback/groupLibrary.ts';
import type { AuditStore } from '../../store/audit.ts';
import type { DeviceOpened } from '../deviceOpened.ts';
import { EnvelopeOf, ErrorAnswers, ok, type Refusal, Refused, refuse } from '../envelope.ts';
import { ShortText } from '../fields.ts';
import { RefusedExports } from './refusedExports.ts';

export interface ExportDeps {
  readonly library: GroupLibrary;
  readonly exportJobs: ExportJobs;
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => WallMs;
}

const MAX_RANGE_MS = 24 * 3_600_000;
const MAX_CHANNELS = 32;
/** Access is asked again while a download runs. */
const ASK_INTERVAL_MS = 1_000;

const Moment = Type.String({ pattern: '^\\d{1,15}$' });
const JobName = Type.String({ pattern: '^[A-Za-z0-9_-]{8,64}$' });
const Opening = {
  username: Type.Optional(ShortText),
  credential: Type.Optional(ShortText),
  deviceid: ShortText,
  /** Id of a hold, with a session: what it keeps of a device that has been deleted since is found by it alone. */
  evidence: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$' })),
};
const ExportQuery = Type.Object({
  ...Opening,
  channels: Type.String({ pattern: '^\\d{1,3}(,\\d{1,3}){0,31}$' }),
  from: Moment,
  to: Moment,
  job: Type.Optional(JobName),
});
const JobQuery = Type.Object({ ...Opening, job: JobName });
const State = Type.Object({
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed'), Type.Literal('cancelled')]),
  /** 0 to 1. */
  share: Type.Number(),
});

const BAD_RANGE = { ...Refused.badRequest, message: 'The range ends before it begins, or is longer than a day.' };
const NOT_HELD = { ...Refused.badRequest, message: 'The range reaches beyond the evidence.' };
const NOTHING = { status: 404, code: 'no-recording', message: 'Nothing is recorded in this range.' } as const;
const NO_JOB = { status: 404, code: 'no-such-export', message: 'There is no such export.' } as const;
const BUSY = { status: 503, code: 'too-many-exports', message: 'Other exports are running. Try again later.' } as const;

const access = { kind: 'link-or-permission', link: 'export', permission: Permission.Export } as const;

/** `GET /api/playback/local/export`, `GET .../export/progress` and `POST .../export/cancel`. */
export async function registerExport(app: FastifyInstance, deps: ExportDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const refused = new RefusedExports();
  routes.get(
    '/api/playback/local/export',
    {
      schema: { summary: 'A range of recordings as MP4', querystring: ExportQuery, response: ErrorAnswers },
      config: { access },
      exposeHeadRoute: false,
    },
    (request, reply) => download(request, reply, { query: request.query, deps, refused }),
  );
  const answers = { 200: EnvelopeOf(State), ...ErrorAnswers };
  routes.get(
    '/api/playback/local/export/progress',
    { schema: { summary: 'How far an export is', querystring: JobQuery, response: answers }, config: { access } },
    async (request, reply) => {
      const { owner } = openedBy(request);
      const state = deps.exportJobs.find(owner, request.query.job);
      return state === undefined ? refuse(reply, refused.find(owner, request.query.job) ?? NO_JOB) : ok(state);
    },
  );
  routes.post(
    '/api/playback/local/export/cancel',
    {
      schema: {
        summary: 'Ends an export',
        querystring: JobQuery,
        response: { 200: EnvelopeOf(Type.Object({})), ...ErrorAnswers },
      },
      config: { access },
    },
    async (request, reply) =>
      deps.exportJobs.cancel(openedBy(request).owner, request.query.job) ? ok({}) : refuse(reply, NO_JOB),
  );
}

interface Download {
  readonly query: { readonly channels: string; readonly from: string; readonly to: string; readonly job?: string };
  readonly deps: ExportDeps;
  readonly refused: RefusedExports;
}

async function download(request: FastifyRequest, reply: FastifyReply, { query, deps, refused }: Download) {
  const opened = openedBy(request);
  const decline = (refusal: Refusal): FastifyReply => {
    refused.note(opened.owner, query.job, refusal);
    return refuse(reply, refusal);
  };
  const fromMs = Number(query.from);
  const toMs = Number(query.to);
  if (toMs <= fromMs || toMs - fromMs > MAX_RANGE_MS) return decline(BAD_RANGE);
  const channels = [...new Set(query.channels.split(',').map(Number))].slice(0, MAX_CHANNELS);
  if (!channels.every((channel) => channel >= 1 && opened.opensChannel(channel))) return decline(Refused.link);
  const { deviceId, archiveId, window } = opened;
  if (window !== undefined && (fromMs < window.fromMs || toMs > window.toMs)) return decline(NOT_HELD);
  const plans: ExportPlan[] = [];
  for (const channel of channels) {
    plans.push(...(await planExport(deps.library, { track: { archiveId, channel }, fromMs, toMs })));
  }
  const [first] = plans;
  if (first === undefined) return decline(NOTHING);
  const job = deps.exportJobs.begin(opened.owner, query.job);
  if (job === undefined) return decline(BUSY);
  const detail = { channels: channels.join(','), fromMs, toMs };
  const entry = { actor: opened.actor, action: 'export.begin', target: deviceId, address: request.ip, detail };
  await deps.audit.add(entry, deps.now());
  const body = openExport(deps.library, plans, { signal: job.signal, onProgress: job.progress });
  const stopAsking = endWhenClosed(opened, () => body.destroy(new Error('access was withdrawn')));
  body.once('error', (error) => request.log.info({ err: error }, 'an export broke off'));
  body.once('close', () => {
    stopAsking();
    job.end(body.readableEnded ? 'done' : 'failed');
  });
  const name = plans.length === 1 ? filmName(first) : archiveName(deviceId, fromMs);
  return reply
    .type(plans.length === 1 ? 'video/mp4' : 'application/zip')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(body);
}

function openedBy({ deviceOpened }: FastifyRequest): DeviceOpened {
  if (deviceOpened === undefined) throw new Error('the route declares no access that opens a device');
  return deviceOpened;
}

/** Gives the end of the asking. */
function endWhenClosed({ stillOpen }: DeviceOpened, close: () => void): () => void {
  const timer = setInterval(() => {
    stillOpen().then(
      (isOpen) => {
        if (!isOpen) close();
      },
      // A database that is away for a moment breaks off no download; the next round asks again.
      () => {},
    );
  }, ASK_INTERVAL_MS);
  return () => clearInterval(timer);
}
