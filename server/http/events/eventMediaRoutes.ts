// Pictures and files of an event: what there is, and each of them, in parts where a player asks for parts.
import type { FileHandle } from 'node:fs/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  EVENT_MEDIA_PATH,
  type EventMedia,
  EventMediaList,
  fileExtension,
} from '../../../shared/protocol/api/eventMedia.ts';
import { EVENTS_PATH, EventIdParams } from '../../../shared/protocol/api/events.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { isShownInPlace } from '../../events/evidence/contentType.ts';
import type { EvidenceFiles } from '../../events/evidence/evidenceFiles.ts';
import { guardStream } from '../../faults/streams.ts';
import type { EventEvidenceStore } from '../../store/events/eventEvidence.ts';
import type { StoredEventMedia, StoredFile } from '../../store/events/eventMediaRows.ts';
import { answers } from '../kernel/answers.ts';
import { type ByteRange, byteRangeOf } from '../kernel/byteRange.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';

export interface EventMediaDeps {
  readonly stores: { readonly eventEvidence: EventEvidenceStore };
  readonly evidenceFiles: Pick<EvidenceFiles, 'open'>;
}

const config = { access: { kind: 'permissions', all: [Permission.Event] } } as const;

export const NO_EVENT = {
  status: 404,
  code: 'no-such-event',
  message: "Event not found, or you don't have access to it.",
} as const;
const NO_MEDIA = {
  status: 404,
  code: 'no-such-media',
  message: "File not found, or you don't have access to it.",
} as const;
const BEYOND_END = {
  ...Refused.badRequest,
  status: 416,
  message: 'The range begins beyond the end of the file. Request an earlier one.',
};

/** `GET /api/event/events/:id/media` and `GET /api/event/media/:id`. */
export function registerEventMedia(app: FastifyInstance, { stores, evidenceFiles }: EventMediaDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const listing = { summary: 'What is kept of an event', params: EventIdParams, response: answers(EventMediaList) };
  routes.get(`${EVENTS_PATH}/:id/media`, { schema: listing, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const found = await stores.eventEvidence.find(Number(request.params.id), memberGroup);
    return found === undefined ? refuse(reply, NO_EVENT) : ok(found.media.map(toEventMedia));
  });
  const schema = { summary: 'A picture or file of an event', params: EventIdParams, response: ErrorAnswers };
  routes.get(`${EVENT_MEDIA_PATH}/:id`, { schema, config, exposeHeadRoute: false }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const media = await stores.eventEvidence.findMedia(Number(request.params.id), memberGroup);
    const handle = media?.file === undefined ? undefined : await evidenceFiles.open(media.file.fileId);
    if (media?.file === undefined || handle === undefined) return refuse(reply, NO_MEDIA);
    return answer(request, reply, { handle, file: media.file, id: media.id });
  });
}

export function toEventMedia(media: StoredEventMedia): EventMedia {
  const { id, kind, state, channel, name, bytes, file, takenAtMs, requestedAtMs, storedAtMs } = media;
  const what = { contentType: file?.contentType ?? '', sha256: file?.sha256 ?? '' };
  const times = {
    takenAtMs: wallMs(takenAtMs),
    requestedAtMs: wallMs(requestedAtMs),
    storedAtMs: wallMs(storedAtMs),
  };
  return { id, kind, state, channel, name, bytes, ...what, ...times };
}

interface Opened {
  readonly handle: FileHandle;
  readonly file: StoredFile;
  readonly id: number;
}

async function answer(request: FastifyRequest, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
  const { handle, file, id } = opened;
  const etag = `"${file.sha256}"`;
  const place = isShownInPlace(file.contentType) ? 'inline' : 'attachment';
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-disposition': `${place}; filename="event-file-${id}${fileExtension(file.contentType)}"`,
  });
  const { size } = await handle.stat();
  const part = byteRangeOf(request.headers, { size, etag });
  if (part === 'unsatisfiable') {
    await handle.close();
    return refuse(reply.header('content-range', `bytes */${size}`), BEYOND_END);
  }
  if (part === 'whole') return send(reply, opened, { from: 0, to: size - 1 });
  reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${size}`);
  return send(reply, opened, part);
}

/** Hands the handle over to the answer, which closes it however it ends. */
async function send(reply: FastifyReply, { handle, file }: Opened, { from, to }: ByteRange): Promise<FastifyReply> {
  reply.header('content-length', to - from + 1).type(file.contentType);
  if (to >= from) return reply.send(guardStream(handle.createReadStream({ start: from, end: to })));
  await handle.close();
  return reply.send('');
}
