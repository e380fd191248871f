// Recordings that devices keep: what there is, and the request to play.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { RecordingsOnDevice } from '../../../shared/protocol/api/recordings.ts';
import { ShortText } from '../../../shared/protocol/api/records.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { LinkOpened } from '../../auth/linkAccess.ts';
import type { RecordingList } from '../../device/playback/recordingList.ts';
import type { RemotePlayback } from '../../stream/remote/remotePlayback.ts';
import type { DeviceDirectory } from '../devices/deviceRoute.ts';
import { answers } from '../kernel/answers.ts';
import { ok, type Refusal, Refused, refuse } from '../kernel/envelope.ts';
import { firstChannelOf, MAX_MASK } from './channelSet.ts';
import { RemoteRefused } from './remoteRefused.ts';

export interface RemotePlaybackDeps {
  readonly remotePlayback: Pick<RemotePlayback, 'play'>;
  readonly deviceRecordings: Pick<RecordingList, 'list'>;
  readonly directory: DeviceDirectory;
  readonly now: () => WallMs;
}

const LinkQuery = Type.Object({ username: ShortText, credential: ShortText });
const MAX_SECONDS = 1_800;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const Quality = ['any', 'main', 'sub'] as const;

const PlayBody = Type.Object({
  deviceid: ShortText,
  streamid: Type.Integer({ minimum: 1, maximum: 99_999_999 }),
  spbtime: Type.Integer({ minimum: 1, maximum: LAST_SECOND, description: 'Start, in seconds since the epoch' }),
  duration: Type.Integer({ minimum: 1, maximum: MAX_SECONDS, description: 'Seconds' }),
  chs: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_MASK }), Type.String({ pattern: '^[01]{1,32}$' })], {
    description: 'Mask of the channel, or its bits with channel 1 leftmost; the first one set counts',
  }),
  main: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2, description: '0: as the device chooses, 1: main stream, 2: sub stream' }),
  ),
});

const RecordingsQuery = Type.Object({
  username: ShortText,
  credential: ShortText,
  deviceid: ShortText,
  channel: Type.String({ pattern: '^\\d{1,2}$' }),
  from: Type.String({ pattern: '^\\d{1,15}$', description: 'Milliseconds since the epoch' }),
  to: Type.String({ pattern: '^\\d{1,15}$', description: 'Milliseconds since the epoch' }),
});
/** A day that an hour is added to, and the hours that its viewer's zone is off the device's. */
const MAX_RANGE_MS = 50 * 60 * 60 * 1000;

export async function registerRemotePlayback(app: FastifyInstance, deps: RemotePlaybackDeps): Promise<void> {
  registerPlay(app, deps);
  registerRecordings(app, deps);
}

const config = { access: { kind: 'link', link: 'remote' } } as const;

/** `POST /api/playback/remote/play`: answers when the device has begun to send, or will not. */
function registerPlay(app: FastifyInstance, deps: RemotePlaybackDeps): void {
  const schema = {
    summary: "Has a device play what it recorded; the page opens the session's stream after success",
    querystring: LinkQuery,
    body: PlayBody,
    response: answers(Type.Object({ streamid: Type.Integer() })),
  };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.post('/api/playback/remote/play', { schema, config }, async (request, reply) => {
    const { streamid, spbtime, duration, chs, main = 0, deviceid } = request.body;
    const channel = firstChannelOf(chs);
    const refusal = await refusalOf(request.linkOpened, { ...deps, channel, deviceid });
    if (refusal !== undefined || channel === undefined) return refuse(reply, refusal ?? Refused.badRequest);
    const result = await deps.remotePlayback.play({
      credential: request.query.credential,
      session: request.linkOpened?.credential.sessionIdHash,
      deviceId: deviceid,
      streamId: streamid,
      channel,
      quality: Quality[main] ?? 'any',
      start: wallMs(spbtime * 1000),
      durationMs: duration * 1000,
    });
    return result.ok ? ok({ streamid }) : refuse(reply, RemoteRefused[result.code]);
  });
}

/** `GET /api/playback/remote/recordings`: what a device holds of a day. */
function registerRecordings(app: FastifyInstance, deps: RemotePlaybackDeps): void {
  const schema = {
    summary: 'What a device has recorded; while it is away, what it said last',
    querystring: RecordingsQuery,
    response: answers(RecordingsOnDevice),
  };
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get('/api/playback/remote/recordings', { schema, config }, async (request, reply) => {
    const { deviceid } = request.query;
    const [channel, from, to] = [request.query.channel, request.query.from, request.query.to].map(Number);
    if (from === undefined || to === undefined || to <= from || to - from > MAX_RANGE_MS)
      return refuse(reply, Refused.badRequest);
    const refusal = await refusalOf(request.linkOpened, { ...deps, channel, deviceid });
    if (refusal !== undefined || channel === undefined) return refuse(reply, refusal ?? Refused.badRequest);
    const result = await deps.deviceRecordings.list({
      deviceId: deviceid,
      channel,
      from: wallMs(from),
      to: wallMs(to),
    });
    if (!result.ok) return refuse(reply, RemoteRefused[result.code]);
    const { recordings, reportedAtMs, isFresh } = result.value;
    return ok({ recordings, fresh: isFresh, ageMs: Math.max(0, deps.now() - reportedAtMs) });
  });
}

interface Requested {
  readonly deviceid: string;
  readonly channel: number | undefined;
  readonly directory: DeviceDirectory;
}

/** Why not: the link must cover this very device and channel, and the device have it. */
async function refusalOf(link: LinkOpened | undefined, requested: Requested): Promise<Refusal | undefined> {
  const { deviceid, channel, directory } = requested;
  if (channel === undefined) return Refused.badRequest;
  // The look-up before took a device id of the query for that of the body.
  if (link?.device.deviceId !== deviceid || !link.opensChannel(channel)) return Refused.link;
  const device = await directory.describe(deviceid);
  return device === undefined || channel > device.chn ? RemoteRefused['no-such-channel'] : undefined;
}
