// Calls by which members hand in large files.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import {
  MAX_UPLOAD_PART_BYTES,
  UPLOAD_BEGIN_PATH,
  UPLOAD_PART_PATH,
  UPLOAD_STATE_PATH,
  Upload,
  UploadBegin,
  UploadPartQuery,
  type UploadPurpose,
  UploadQuery,
} from '../../../shared/protocol/api/uploads/uploads.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { UploadState, Uploads } from '../../uploads/uploads.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, ok, type Refusal, Refused, refuse } from '../kernel/envelope.ts';
import { refusalFor } from '../kernel/recognise.ts';
import { leaveWithReply } from './bodyPlaces.ts';
import { NO_UPLOAD, refusalOfBegin, SLOW_DOWN, UPLOAD_DISK_FULL, UPLOAD_MISPLACED } from './uploadRefusals.ts';

export interface UploadDeps {
  readonly uploads: Pick<Uploads, 'begin' | 'part' | 'state' | 'drop'>;
  readonly onLimit: OnLimit;
}

/** Size of a part of an upload, which is in memory as a whole until it is written. The answer is 413. */
export const UPLOAD_PART_BYTES_LIMIT: Limit = { name: 'http.upload-part.bytes', max: MAX_UPLOAD_PART_BYTES };
/** Parts of uploads that are being received. A further one is refused with 429 `slow-down`. */
export const UPLOAD_PARTS_LIMIT: Limit = { name: 'http.upload-parts', max: 24 };
/** Parts of uploads that are being received from one user. A further one is refused with 429 `slow-down`. */
export const USER_PARTS_LIMIT: Limit = { name: 'http.upload-parts.user', max: 4 };

/** The permissions that each purpose needs: every call checks those of its own purpose. */
const NEEDED: Readonly<Record<UploadPurpose, readonly Permission[]>> = {
  firmware: [Permission.FirmwareUpdate],
  backup: [Permission.System, Permission.SystemBackup],
};
const RETRY_AFTER_S = 5;
const config = {
  access: { kind: 'any-permission', any: [Permission.FirmwareUpdate, Permission.SystemBackup] },
} as const;

export async function registerUploadRoutes(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  registerBegin(app, deps);
  registerState(app, deps);
  await app.register((scope, _options, done) => {
    registerPart(scope, deps);
    done();
  });
}

function registerBegin(app: FastifyInstance, { uploads }: UploadDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Begins an upload', body: UploadBegin, response: answers(Upload) };
  routes.post(UPLOAD_BEGIN_PATH, { schema, config }, async (request, reply) => {
    const refusal = refusalFor(callerOf(request), NEEDED[request.body.purpose]);
    if (refusal !== undefined) return refuse(reply, refusal);
    const begun = await uploads.begin(request.body, callerOf(request).user.id);
    return begun.ok ? ok(toUpload(begun.value)) : refuse(reply, refusalOfBegin(begun.reason));
  });
}

function registerState(app: FastifyInstance, { uploads }: UploadDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const reading = { summary: 'How far an upload is', querystring: UploadQuery, response: answers(Upload) };
  routes.get(UPLOAD_STATE_PATH, { schema: reading, config }, async (request, reply) => {
    const found = await findOwn(request, request.query.id, uploads);
    return 'status' in found ? refuse(reply, found) : ok(toUpload(found));
  });
  const dropping = { summary: 'Drops an upload', querystring: UploadQuery, response: answers(Nothing) };
  routes.delete(UPLOAD_STATE_PATH, { schema: dropping, config }, async (request, reply) => {
    const found = await findOwn(request, request.query.id, uploads);
    if ('status' in found) return refuse(reply, found);
    await uploads.drop(found.id, callerOf(request).user.id);
    return ok({});
  });
}

function registerPart(app: FastifyInstance, deps: UploadDeps): void {
  const bodyLimit = UPLOAD_PART_BYTES_LIMIT.max;
  // Only registered here: elsewhere a body is JSON.
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit }, (_request, body, taken) =>
    taken(null, body),
  );
  const onRequest = boundParts(deps.onLimit);
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Hands in a part of an upload', querystring: UploadPartQuery, response: answers(Upload) };
  const bounded = { ...config, boundsBodies: true } as const;
  routes.post(UPLOAD_PART_PATH, { schema, config: bounded, bodyLimit, onRequest }, async (request, reply) => {
    if (!Buffer.isBuffer(request.body)) return refuse(reply, Refused.badRequest);
    const { id, offset } = request.query;
    const found = await findOwn(request, id, deps.uploads);
    if ('status' in found) return refuse(reply, found);
    const userId = callerOf(request).user.id;
    const done = await deps.uploads.part({ id, userId, offset: Number(offset), bytes: request.body });
    if (done.ok) return ok(toUpload(done.value));
    if (done.reason === 'gone') return refuse(reply, NO_UPLOAD);
    if (done.reason === 'full') return refuse(reply, UPLOAD_DISK_FULL);
    const current = await deps.uploads.state(id, userId);
    return refuse(reply, { ...conflictWith(current && toUpload(current)), ...UPLOAD_MISPLACED });
  });
}

/** Limits parts before a body is read: a refused part takes no memory. */
function boundParts(onLimit: OnLimit) {
  const all = new KeyedCount(UPLOAD_PARTS_LIMIT, onLimit);
  const ofUser = new KeyedCount(USER_PARTS_LIMIT, onLimit);
  const refuseFor = (reply: FastifyReply): FastifyReply =>
    refuse(reply.header('retry-after', RETRY_AFTER_S), SLOW_DOWN);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const leaveUser = ofUser.enter(String(callerOf(request).user.id));
    if (leaveUser === undefined) return refuseFor(reply);
    const leaveAll = all.enter('');
    const leave = (): void => {
      leaveUser();
      leaveAll?.();
    };
    return leaveWithReply(reply, leave) ?? (leaveAll === undefined ? refuseFor(reply) : undefined);
  };
}

/** The caller's own upload, while the caller has the permissions of its purpose. */
async function findOwn(
  request: FastifyRequest,
  id: string,
  uploads: UploadDeps['uploads'],
): Promise<UploadState | Refusal> {
  const caller = callerOf(request);
  const upload = await uploads.state(id, caller.user.id);
  return upload === undefined ? NO_UPLOAD : (refusalFor(caller, NEEDED[upload.purpose]) ?? upload);
}

function toUpload({ id, purpose, bytes, sha256, receivedBytes, expiresAtMs }: UploadState): Upload {
  return { id, purpose, bytes, sha256, receivedBytes, expiresAtMs: wallMs(expiresAtMs) };
}
