import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  type RecordedRange as RangeOfChannel,
  type RecordedChannel,
  RecordedChannels,
} from '../../../shared/protocol/api/recordings.ts';
import { ShortText } from '../../../shared/protocol/api/records.ts';
import { mergeRanges, RANGE_JOIN_MS } from '../../../shared/protocol/timeRanges.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { RecordedIndex } from '../../recording/recordedIndex.ts';
import type { RangeQuery, RecordedRange } from '../../store/recordings/segments.ts';
import type { DeviceDirectory } from '../devices/deviceRoute.ts';
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';

export interface RangesDeps {
  readonly recorded: Pick<RecordedIndex, 'ranges' | 'fetched'>;
  readonly directory: DeviceDirectory;
  readonly onLimit?: OnLimit | undefined;
}

/** Milliseconds since the epoch, in digits. */
const Timestamp = Type.String({ pattern: '^\\d{1,15}$' });
const RangesQuery = Type.Object({
  username: ShortText,
  credential: ShortText,
  deviceid: ShortText,
  from: Timestamp,
  to: Timestamp,
});

/**
 * Ranges in one answer of `/api/playback/local/ranges`. A device that connects and breaks off all day has a few thousand a month and
 * channel. Beyond it the answer is 400; ask for a shorter window.
 */
export const RANGES_LIMIT: Limit = { name: 'recordings.ranges.request', max: 50_000 };
const MAX_WINDOW_MS = 366 * 86_400_000;
const TOO_MANY = { ...Refused.badRequest, message: 'Too many recordings in this range. Select a shorter one.' };
const BAD_WINDOW = {
  ...Refused.badRequest,
  message: 'Select a range that ends after it begins, at most one year long.',
};

/** `GET /api/playback/local/ranges`: what is recorded of each channel that the link opens; what is between is a gap. */
export async function registerRanges(app: FastifyInstance, deps: RangesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What is recorded of a device',
    querystring: RangesQuery,
    response: answers(RecordedChannels),
  };
  const config = { access: { kind: 'link', link: 'playback' } } as const;
  routes.get('/api/playback/local/ranges', { schema, config }, async (request, reply) => {
    const fromMs = Number(request.query.from);
    const toMs = Number(request.query.to);
    if (toMs <= fromMs || toMs - fromMs > MAX_WINDOW_MS) return refuse(reply, BAD_WINDOW);
    const link = request.linkOpened;
    const info = link === undefined ? undefined : await deps.directory.describe(link.device.deviceId);
    if (link === undefined || info === undefined) return refuse(reply, Refused.link);
    const ranges = await findRanges(deps, { archiveId: link.device.archiveId, fromMs, toMs });
    if (ranges === undefined) return refuse(reply, TOO_MANY);
    const { archiveId } = link.device;
    const fetched = await deps.recorded.fetched({ archiveId, fromMs, toMs, limit: RANGES_LIMIT.max });
    return ok({
      channels: byChannel({ ranges, fetched }, info.chn).filter(({ channel }) => link.opensChannel(channel)),
    });
  });
}

/** Undefined when there are more than an answer may hold. */
export async function findRanges(
  { recorded, onLimit }: Pick<RangesDeps, 'onLimit'> & { readonly recorded: Pick<RecordedIndex, 'ranges'> },
  query: Omit<RangeQuery, 'limit'>,
): Promise<readonly RecordedRange[] | undefined> {
  const ranges = await recorded.ranges({ ...query, limit: RANGES_LIMIT.max + 1 });
  if (ranges.length <= RANGES_LIMIT.max) return ranges;
  onLimit?.(RANGES_LIMIT);
  return undefined;
}

interface FoundRanges {
  readonly ranges: readonly RecordedRange[];
  readonly fetched: readonly RecordedRange[];
}

interface ChannelRanges {
  readonly channel: number;
  readonly ranges: RangeOfChannel[];
  readonly fetched: RangeOfChannel[];
}

/** Every channel that the device has, and every one that was recorded when it had more. */
function byChannel({ ranges, fetched }: FoundRanges, count: number): RecordedChannel[] {
  const channels = new Map<number, ChannelRanges>();
  const of = (channel: number): ChannelRanges => channels.get(channel) ?? { channel, ranges: [], fetched: [] };
  for (let channel = 1; channel <= count; channel++) channels.set(channel, of(channel));
  for (const { channel, fromMs, toMs } of ranges) {
    const known = of(channel);
    known.ranges.push({ fromMs, toMs });
    channels.set(channel, known);
  }
  for (const { channel, fromMs, toMs } of fetched) channels.get(channel)?.fetched.push({ fromMs, toMs });
  const sorted = [...channels.values()].sort((left, right) => left.channel - right.channel);
  return sorted.map(({ fetched: later, ...channel }) => {
    const parts = mergeRanges(later, RANGE_JOIN_MS);
    return parts.length === 0 ? channel : { ...channel, fetched: parts };
  });
}
