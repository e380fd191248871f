// Hours recorded out of the hours due by schedule and ignition, and the missing ones.
import type { WeekSchedule } from '../../../shared/protocol/api/weekWindows.ts';
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, intersect, lengthOf, scheduledSpans, subtract } from '../../../shared/protocol/timeSpans.ts';
import { dayNumber, dayStarts } from '../../../shared/protocol/timeZones.ts';
import { policyFor } from '../../recording/policy.ts';
import type { RecordingPolicy, ScopedPolicy } from '../../store/recordings/recordingPolicies.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { deviceClocks, samplesWithin } from './deviceClocks.ts';
import { groupBy } from './inParts.ts';
import { dayText } from './mileage.ts';
import { withheldSpans } from './withheldSpans.ts';

/** Segments that the recorder still writes are in no table; none is longer than this. */
const NEWEST_MS = 15 * 60_000;
/** Shorter gaps are the time between two connections of the terminal. */
const SHORTEST_GAP_MS = 10_000;
/** Positions further apart don't show the ignition between them. */
const TRACK_GAP_MS = 5 * 60_000;

/**
 * A row for each channel and day on which recording was due, and one for each gap, by the present recording settings. Time that a
 * data plan withheld is listed beside the recorded time, and is not a gap.
 */
export const recordingCoverage: ReportKindDefinition = {
  kind: 'recording-coverage',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'channel', type: 'count' },
    { name: 'entry', type: 'code' },
    { name: 'day', type: 'day' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'due', type: 'duration' },
    { name: 'recorded', type: 'duration' },
    { name: 'share', type: 'share' },
    { name: 'withheld', type: 'duration' },
    { name: 'duration', type: 'duration' },
  ],
  filters: ['devices', 'thresholds'],
  chart: { by: 'device', value: 'recorded' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: async function* (query, sources) {
    const window = { fromMs: query.fromMs, toMs: Math.min(query.toMs, query.nowMs - NEWEST_MS) };
    if (window.fromMs >= window.toMs) return;
    const coverage = { window, query, sources, policies: await loadPolicies(sources), spans: new Map() };
    for (const [at, device] of query.devices.entries()) {
      yield { rows: await rowsOfDevice(coverage, device), progress: (at + 1) / query.devices.length };
    }
  },
};

interface Coverage {
  readonly window: TimeRange;
  readonly query: ReportQuery;
  readonly sources: ReportSources;
  readonly policies: readonly ScopedPolicy[];
  /** Due spans of schedules, by schedule and zone: most devices have the same. */
  readonly spans: Map<string, readonly TimeRange[]>;
}

async function loadPolicies({ db }: ReportSources): Promise<ScopedPolicy[]> {
  const rows = await db.selectFrom('recording_policy').selectAll().execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    channel: row.channel,
    mode: row.mode === 'always' || row.mode === 'ignition' ? row.mode : 'off',
    quality: row.quality === 'sub' ? 'sub' : 'main',
    schedule: JSON.parse(row.schedule) as WeekSchedule,
    retentionDays: row.retention_days,
  }));
}

async function rowsOfDevice(coverage: Coverage, device: ReportDevice): Promise<ReportRowValues[]> {
  const { policies, sources, window, query } = coverage;
  const policyOf = (channel: number): RecordingPolicy =>
    policyFor(policies, device.deviceId, channel) ?? sources.recordingPreset;
  const channels = device.channels.filter((channel) => policyOf(channel).mode !== 'off');
  if (channels.length === 0) return [];
  const recorded = await recordedRanges(coverage, device);
  const needsIgnition = channels.some((channel) => policyOf(channel).mode === 'ignition');
  const ignition = needsIgnition ? await ignitionSpans(coverage, device) : [];
  const withheld = await withheldSpans(sources.db, device, window);
  const days = daysIn(window, query.timeZone);
  return channels.flatMap((channel) => {
    const policy = policyOf(channel);
    const scheduled = spansOf(coverage, policy.schedule, device.timeZone);
    const due = policy.mode === 'ignition' ? intersect(ignition, scheduled) : scheduled;
    return rowsOfChannel({
      device,
      channel,
      due,
      recorded: recorded.get(channel) ?? [],
      withheld: withheld[policy.quality],
      days,
      leastMs: query.leastMs,
    });
  });
}

interface Day extends TimeRange {
  readonly text: string;
}

function daysIn(window: TimeRange, timeZone: string): Day[] {
  const starts = dayStarts(window.fromMs, window.toMs, timeZone);
  return starts.slice(0, -1).map((startMs, at) => ({
    fromMs: Math.max(window.fromMs, startMs),
    toMs: Math.min(window.toMs, starts[at + 1] ?? window.toMs),
    text: dayText(dayNumber(startMs, timeZone)),
  }));
}

interface ChannelCoverage {
  readonly device: ReportDevice;
  readonly channel: number;
  readonly due: readonly TimeRange[];
  readonly recorded: readonly TimeRange[];
  readonly withheld: readonly TimeRange[];
  readonly days: readonly Day[];
  readonly leastMs: number;
}

function rowsOfChannel({
  device,
  channel,
  due,
  recorded,
  withheld,
  days,
  leastMs,
}: ChannelCoverage): ReportRowValues[] {
  const { deviceId } = device;
  return days.flatMap((day) => {
    const dueThen = clipAll(due, day);
    const dueMs = lengthOf(dueThen);
    if (dueMs === 0) return [];
    const recordedMs = lengthOf(intersect(dueThen, recorded));
    const missing = subtract(dueThen, recorded);
    const withheldMs = lengthOf(intersect(missing, withheld));
    const total = [day.text, day.fromMs, day.toMs, dueMs, recordedMs, recordedMs / dueMs, withheldMs, null];
    const gaps = subtract(missing, withheld).filter((gap) => lengthOf([gap]) >= Math.max(leastMs, SHORTEST_GAP_MS));
    return [
      { deviceId, values: [deviceId, channel, 'total', ...total] },
      ...gaps.map((gap) => ({
        deviceId,
        values: [deviceId, channel, 'gap', day.text, gap.fromMs, gap.toMs, null, null, null, null, lengthOf([gap])],
      })),
    ];
  });
}

async function recordedRanges(
  { window, sources }: Coverage,
  { archiveId }: ReportDevice,
): Promise<ReadonlyMap<number, readonly TimeRange[]>> {
  const rows = await sources.db
    .selectFrom('recorded_range')
    .select(['channel', 'from_ms', 'to_ms'])
    .where('archive_id', '=', archiveId)
    .where('from_ms', '<', window.toMs)
    .where('to_ms', '>', window.fromMs)
    .orderBy('from_ms')
    .execute();
  const byChannel = [...groupBy(rows, (row) => row.channel)];
  return new Map(
    byChannel.map(([channel, ranges]) => [
      channel,
      mergeRanges(
        ranges.map((row) => ({ fromMs: row.from_ms, toMs: row.to_ms })),
        RANGE_JOIN_MS,
      ),
    ]),
  );
}

async function ignitionSpans({ window, sources }: Coverage, device: ReportDevice): Promise<TimeRange[]> {
  const { incarnation } = device;
  const clock = (await deviceClocks(sources.db, [device]))(incarnation);
  const spans: TimeRange[] = [];
  let onSinceMs: number | undefined;
  for await (const samples of samplesWithin(sources.samplesOf, { incarnation, clock }, window)) {
    for (const { atMs, isIgnitionOn } of samples) {
      if (onSinceMs !== undefined && atMs > onSinceMs && atMs - onSinceMs <= TRACK_GAP_MS) {
        spans.push({ fromMs: onSinceMs, toMs: atMs });
      }
      onSinceMs = isIgnitionOn ? atMs : undefined;
    }
  }
  return clipAll(mergeRanges(spans, 0), window);
}

function spansOf({ spans, window }: Coverage, schedule: WeekSchedule, timeZone: string): readonly TimeRange[] {
  const key = `${JSON.stringify(schedule)} ${timeZone}`;
  const known = spans.get(key) ?? scheduledSpans(schedule, timeZone, window);
  spans.set(key, known);
  return known;
}
