// The data of one device in a span of time for planning and the calendar: its files, the server's recordings, and what there should be.
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, intersect, scheduledSpans } from '../../../shared/protocol/timeSpans.ts';
import { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { policyFor } from '../../recording/policy.ts';
import type { RecordedIndex } from '../../recording/recordedIndex.ts';
import type { PositionStore } from '../../store/fleet/positions.ts';
import type { RecordingPolicy, RecordingPolicyStore } from '../../store/recordings/recordingPolicies.ts';
import type { DeviceRecordingStore } from '../../store/sync/deviceRecordings.ts';
import type { TrackSummaryStore } from '../../store/tracks/trackSummary.ts';
import { type DeviceFile, fileOf } from '../plan/files.ts';
import { ignitionSpans } from './ignition.ts';

interface SourceDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveId: string;
  readonly timeZone: string;
}

type RangesByChannel = ReadonlyMap<number, readonly TimeRange[]>;

export interface DeviceSources {
  clockOf(incarnation: number): Promise<DeviceClock>;
  /** Files with a moment in the span of the gateway's clock. */
  files(device: Pick<SourceDevice, 'incarnation'>, span: TimeRange): Promise<DeviceFile[]>;
  here(device: Pick<SourceDevice, 'archiveId'>, span: TimeRange): Promise<RangesByChannel>;
  ignition(device: Pick<SourceDevice, 'incarnation'>, span: TimeRange): Promise<TimeRange[]>;
  /** Time that the server should have recorded of these channels, by the present recording settings. */
  due(device: SourceDevice, channels: readonly number[], span: TimeRange): Promise<RangesByChannel>;
}

export interface DeviceSourcesDeps {
  readonly recordings: Pick<DeviceRecordingStore, 'within'>;
  readonly tracks: Pick<TrackSummaryStore, 'clockOf'>;
  readonly positions: Pick<PositionStore, 'columns'>;
  readonly policies: Pick<RecordingPolicyStore, 'list'>;
  /** Policy of devices without one of their own, until there is one for all. */
  readonly preset: RecordingPolicy;
  readonly recorded: Pick<RecordedIndex, 'ranges'>;
}

export function createDeviceSources(deps: DeviceSourcesDeps): DeviceSources {
  const clockOf = async (incarnation: number): Promise<DeviceClock> =>
    new DeviceClock(await deps.tracks.clockOf(incarnation));
  const ignition: DeviceSources['ignition'] = async ({ incarnation }, span) =>
    ignitionSpans(deps.positions, { incarnation, clock: await clockOf(incarnation), ...span });
  return {
    clockOf,
    ignition,
    files: (device, span) => filesIn(deps, { ...device, clock: () => clockOf(device.incarnation) }, span),
    here: async ({ archiveId }, { fromMs, toMs }) => {
      const ranges = await deps.recorded.ranges({ archiveId, fromMs, toMs });
      return new Map([...grouped(ranges)].map(([channel, own]) => [channel, mergeRanges(own, RANGE_JOIN_MS)]));
    },
    due: async (device, channels, span) => {
      const policies = await deps.policies.list();
      const policyOf = (channel: number): RecordingPolicy =>
        policyFor(policies, device.deviceId, channel) ?? deps.preset;
      const needsIgnition = channels.some((channel) => policyOf(channel).mode === 'ignition');
      const on = needsIgnition ? await ignition(device, span) : [];
      return new Map(
        channels.map((channel) => {
          const { mode, schedule } = policyOf(channel);
          if (mode === 'off') return [channel, []];
          const scheduled = scheduledSpans(schedule, device.timeZone, span);
          return [channel, mode === 'ignition' ? intersect(on, scheduled) : scheduled];
        }),
      );
    },
  };
}

async function filesIn(
  { recordings }: Pick<DeviceSourcesDeps, 'recordings'>,
  { incarnation, clock: read }: { readonly incarnation: number; readonly clock: () => Promise<DeviceClock> },
  span: TimeRange,
): Promise<DeviceFile[]> {
  const clock = await read();
  const files: DeviceFile[] = [];
  for (const { fromMs, toMs } of clock.deviceSpans(span.fromMs, span.toMs)) {
    const stored = await recordings.within(incarnation, { fromMs: Math.round(fromMs), toMs: Math.round(toMs) });
    files.push(...stored.map((recording) => fileOf(recording, clock)));
  }
  const unique = new Map(files.map((file) => [`${file.channel}/${file.stream}/${file.fromMs}/${file.isGone}`, file]));
  return [...unique.values()].filter((file) => clipAll([file], span).length > 0);
}

function grouped(ranges: readonly (TimeRange & { readonly channel: number })[]): Map<number, TimeRange[]> {
  const byChannel = new Map<number, TimeRange[]>();
  for (const { channel, fromMs, toMs } of ranges) {
    const known = byChannel.get(channel);
    if (known === undefined) byChannel.set(channel, [{ fromMs, toMs }]);
    else known.push({ fromMs, toMs });
  }
  return byChannel;
}
