import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { RecordedIndex } from '../../recording/recordedIndex.ts';
import type { RecordedRange } from '../../store/segments.ts';
import type { DeviceDirectory } from '../device/routes.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../envelope.ts';
import { ShortText } from '../fields.ts';

export interface RangesDeps {
  readonly recorded: Pick<RecordedIndex, 'ranges'>;
  readonly directory: DeviceDirectory;
}

/** Milliseconds since the epoch, in digits. */
const Moment = Type.String({ pattern: '^\\d{1,15}$' });
const RangesQuery = Type.Object({
  ...{ username: ShortText, credential: ShortText, deviceid: ShortText },
  ...{ from: Moment, to: Moment },
});
const Range = Type.Object({ fromMs: Type.Integer(), toMs: Type.Integer() });
const Ranges = Type.Object({
  channels: Type.Array(Type.Object({ channel: Type.Integer(), ranges: Type.Array(Range) })),
});

const MAX_WINDOW_MS = 366 * 86_400_000;
const BAD_WINDOW = { ...Refused.badRequest, message: 'The window ends before it begins, or is longer than a year.' };

/** `GET /api/playback/local/ranges`: what is recorded of each channel that the link opens; what is between is a gap. */
export async function registerRanges(app: FastifyInstance, { recorded, directory }: RangesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What is recorded of a device',
    querystring: RangesQuery,
    response: { 200: EnvelopeOf(Ranges), ...ErrorAnswers },
  };
  const config = { access: { kind: 'link', link: 'playback' } } as const;
  routes.get('/api/playback/local/ranges', { schema, config }, async (request, reply) => {
    const fromMs = Number(request.query.from);
    const toMs = Number(request.query.to);
    if (toMs <= fromMs || toMs - fromMs > MAX_WINDOW_MS) return refuse(reply, BAD_WINDOW);
    const link = request.linkOpened;
    const info = link === undefined ? undefined : await directory.describe(link.device.deviceId);
    if (link === undefined || info === undefined) return refuse(reply, Refused.link);
    const ranges = await recorded.ranges({ deviceId: link.device.deviceId, fromMs, toMs });
    return ok({ channels: byChannel(ranges, info.chn).filter(({ channel }) => link.opensChannel(channel)) });
  });
}

interface ChannelRanges {
  readonly channel: number;
  readonly ranges: { readonly fromMs: number; readonly toMs: number }[];
}

/** Every channel that the device has, and every one that was recorded when it had more. */
function byChannel(ranges: readonly RecordedRange[], count: number): ChannelRanges[] {
  const channels = new Map<number, ChannelRanges>();
  for (let channel = 1; channel <= count; channel++) channels.set(channel, { channel, ranges: [] });
  for (const { channel, fromMs, toMs } of ranges) {
    const known = channels.get(channel) ?? { channel, ranges: [] };
    known.ranges.push({ fromMs, toMs });
    channels.set(channel, known);
  }
  return [...channels.values()].sort((left, right) => left.channel - right.channel);
}
