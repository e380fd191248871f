// Exports: the download itself, and what its page asks about it and says to it meanwhile.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ExportState } from '../../../shared/protocol/api/recordings.ts';
import { IdText, Nothing, ShortText } from '../../../shared/protocol/api/records.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { runEvery } from '../../faults/timers.ts';
import { type ExportPlan, planExport } from '../../recording/export/exportChannel.ts';
import { openExport } from '../../recording/export/exportFiles.ts';
import type { ExportJob, ExportJobs } from '../../recording/export/exportJobs.ts';
import { archiveName, clipFileName } from '../../recording/export/fileNames.ts';
import type { GopReader } from '../../recording/playback/gopReader.ts';
import { answers } from '../kernel/answers.ts';
import type { DeviceOpened } from '../kernel/deviceOpened.ts';
import { ErrorAnswers, ok, type Refusal, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { RefusedExports } from './refusedExports.ts';

export interface ExportDeps {
  readonly gopReader: GopReader;
  readonly exportJobs: ExportJobs;
}

const MAX_RANGE_MS = 24 * 3_600_000;
const MAX_CHANNELS = 32;
/** Access is asked again while a download runs. */
const ASK_INTERVAL_MS = 1_000;

const Timestamp = Type.String({ pattern: '^\\d{1,15}$' });
const JobName = Type.String({ pattern: '^[A-Za-z0-9_-]{8,64}$' });
const Opening = {
  username: Type.Optional(ShortText),
  credential: Type.Optional(ShortText),
  deviceid: ShortText,
  /** Id of a hold, with a session: what it keeps of a device that has been deleted since is found by it alone. */
  evidence: Type.Optional(IdText),
};
const ExportQuery = Type.Object({
  ...Opening,
  channels: Type.String({ pattern: '^\\d{1,3}(,\\d{1,3}){0,31}$' }),
  from: Timestamp,
  to: Timestamp,
  job: Type.Optional(JobName),
});
const JobQuery = Type.Object({ ...Opening, job: JobName });
const BAD_RANGE = { ...Refused.badRequest, message: 'Select a range that ends after it begins, at most one day long.' };
const NOT_HELD = {
  ...Refused.badRequest,
  message: 'The range reaches beyond the evidence hold. Select a shorter one.',
};
const NOTHING = {
  status: 404,
  code: 'no-recording',
  message: 'No recordings in this range. Select another one.',
} as const;
const NO_JOB = {
  status: 404,
  code: 'no-such-export',
  message: "Export not found, or you don't have access to it.",
} as const;
const FULL = {
  status: 429,
  code: 'too-many-exports',
  message: 'Too many exports are waiting. Try again later.',
} as const;
const NAME_TAKEN = {
  status: 409,
  code: 'export-name-taken',
  message: 'An export with this name already exists. Start it again.',
} as const;

const access = { kind: 'link-or-permission', link: 'export', permission: Permission.Export } as const;

/** `GET /api/playback/local/export`, `GET .../export/progress` and `POST .../export/cancel`. */
export async function registerExport(app: FastifyInstance, deps: ExportDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const refused = new RefusedExports(deps.exportJobs.onLimit);
  routes.get(
    '/api/playback/local/export',
    {
      schema: {
        summary: 'A range of recordings as MP4',
        querystring: ExportQuery,
        response: { 204: Type.Null({ description: 'It was ended while it waited' }), ...ErrorAnswers },
      },
      config: { access },
      exposeHeadRoute: false,
    },
    (request, reply) => download(request, reply, { query: request.query, deps, refused }),
  );
  routes.get(
    '/api/playback/local/export/progress',
    {
      schema: { summary: 'How far an export is', querystring: JobQuery, response: answers(ExportState) },
      config: { access },
    },
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
        response: answers(Nothing),
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

interface Range {
  readonly channels: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

async function download(request: FastifyRequest, reply: FastifyReply, { query, deps, refused }: Download) {
  const opened = openedBy(request);
  const decline = (refusal: Refusal): FastifyReply => {
    refused.note(opened.owner, query.job, refusal);
    return refuse(reply, refusal);
  };
  const range = rangeOf(query);
  if (range === undefined) return decline(BAD_RANGE);
  if (!range.channels.every((channel) => channel >= 1 && opened.opensChannel(channel))) return decline(Refused.link);
  const { deviceId, archiveId, window } = opened;
  if (window !== undefined && (range.fromMs < window.fromMs || range.toMs > window.toMs)) return decline(NOT_HELD);
  const job = deps.exportJobs.enter(opened, query.job);
  if (job === 'full') return decline(FULL);
  // Nothing is noted of it: the page asks about the one that has the name.
  if (job === 'name-taken') return refuse(reply, NAME_TAKEN);
  const stopWatching = endWithCaller(request, reply, () => job.end('failed'));
  const plans = await plansInTurn(job, archiveId, { range, gopReader: deps.gopReader });
  // Asked once more: the turn may have come long after the request, and with the end of others whose access was the same.
  if (!(await opened.stillOpen())) {
    job.end('failed');
    return refuse(reply, Refused.link);
  }
  // Whoever cancelled it knows; browsers make a failed download, or a page, of any answer that has content.
  if (plans === undefined) return reply.code(204).send();
  if (plans.length === 0) {
    stopWatching();
    job.forget();
    return decline(NOTHING);
  }
  const detail = { channels: range.channels.join(','), fromMs: range.fromMs, toMs: range.toMs };
  await recordAudit(request, { action: 'export.begin', actor: opened.actor, target: deviceId, detail });
  const clips = openExport(deps.gopReader, plans, { signal: job.signal, onProgress: job.progress });
  const body = deps.exportJobs.deliver(job, clips);
  body.once('error', (error) => request.log.info({ err: error }, 'an export broke off'));
  body.once('close', () => {
    stopWatching();
    job.end(body.readableEnded ? 'done' : 'failed');
  });
  return reply
    .type(plans.length === 1 ? 'video/mp4' : 'application/zip')
    .header('content-disposition', `attachment; filename="${nameOf(plans, deviceId, range)}"`)
    .header('cache-control', 'no-store')
    .send(body);
}

function rangeOf({ channels, from, to }: Download['query']): Range | undefined {
  const [fromMs, toMs] = [Number(from), Number(to)];
  if (toMs <= fromMs || toMs - fromMs > MAX_RANGE_MS) return undefined;
  return { fromMs, toMs, channels: [...new Set(channels.split(',').map(Number))].slice(0, MAX_CHANNELS) };
}

interface Sources {
  readonly range: Range;
  readonly gopReader: GopReader;
}

/** Looks the range up, which takes time too, when it is the export's turn; undefined when it ends before. */
async function plansInTurn(job: ExportJob, archiveId: string, sources: Sources): Promise<ExportPlan[] | undefined> {
  const { range, gopReader } = sources;
  const { fromMs, toMs } = range;
  if (!(await job.turn)) return undefined;
  const plans: ExportPlan[] = [];
  try {
    for (const channel of range.channels) {
      plans.push(...(await planExport(gopReader, { track: { archiveId, channel }, fromMs, toMs }, job.signal)));
    }
  } catch (error) {
    if (job.signal.aborted) return undefined;
    job.end('failed');
    throw error;
  }
  return job.signal.aborted ? undefined : plans;
}

function nameOf(plans: readonly ExportPlan[], deviceId: string, { fromMs }: Range): string {
  const [first] = plans;
  return plans.length === 1 && first !== undefined ? clipFileName(first) : archiveName(deviceId, fromMs);
}

function openedBy({ deviceOpened }: FastifyRequest): DeviceOpened {
  if (deviceOpened === undefined) throw new Error('the route declares no access that opens a device');
  return deviceOpened;
}

/** Runs `end` when the caller goes, or may not have the device any more; gives the end of the watch. */
function endWithCaller(request: FastifyRequest, reply: FastifyReply, end: () => void): () => void {
  const { stillOpen } = openedBy(request);
  const askAgain = async (): Promise<void> => {
    if (!(await stillOpen())) stop(end);
  };
  // A database that is away for a moment breaks off no download; the next round asks again.
  const stopAsking = runEvery(ASK_INTERVAL_MS, askAgain, () => undefined);
  const gone = (): void => stop(end);
  const stop = (then?: () => void): void => {
    stopAsking();
    reply.raw.off('close', gone);
    then?.();
  };
  reply.raw.once('close', gone);
  // The caller may have gone while the device was looked up.
  if (reply.raw.destroyed) gone();
  return () => stop();
}
