// Runs data sync in the gateway: copies recordings of devices to the server, as rules, members and events request them.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { listTeller } from '../../bus/changeBus.ts';
import { channelsOf } from '../../device/channels.ts';
import { askRecordings } from '../../device/playback/askRecordings.ts';
import { readItem } from '../../device/playback/recordingList.ts';
import type { DeviceRegistry } from '../../device/registry.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { EventTopics } from '../../events/engine/eventTopics.ts';
import type { FetchedClip } from '../../events/evidence/clipHolds.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { installationPath } from '../../installation.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { mayRecord } from '../../recording/diskState.ts';
import type { Recorder } from '../../recording/recorder.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import { SyncDirectory } from '../../sync/directory.ts';
import { fetchByFtp } from '../../sync/engine/attempts/ftpAttempt.ts';
import { fetchByPlayback } from '../../sync/engine/attempts/playbackAttempt.ts';
import { type LeftFiles, noteFile } from '../../sync/engine/attempts/wholeFiles.ts';
import { KeptFiles } from '../../sync/engine/keptFiles.ts';
import { Leftovers } from '../../sync/engine/leftovers.ts';
import { Methods } from '../../sync/engine/methods.ts';
import { SyncEngine } from '../../sync/engine/syncEngine.ts';
import type { Ingest } from '../../sync/ingest/ingest.ts';
import { type AskedRecordings, DeviceListings } from '../../sync/listing/deviceListings.ts';
import { registerSyncMetrics } from '../../sync/metrics.ts';
import { type ClipLengths, DevicePlanning } from '../../sync/planning/devicePlanning.ts';
import { EventClips } from '../../sync/requests/eventClips.ts';
import { SyncRequests } from '../../sync/requests/syncRequests.ts';
import { SyncRetention } from '../../sync/retention.ts';
import { createDeviceSources, type DeviceSources } from '../../sync/sources/deviceSources.ts';
import type { ChannelledDevice, SyncCalls } from '../../sync/syncCalls.ts';
import { type Context, toolsOf } from '../context.ts';
import { presetPolicy } from '../recordings.ts';
import type { Video } from '../video.ts';
import type { SyncUploads } from './uploads.ts';

export interface Sync {
  readonly forCalls: SyncCalls;
  /** Number of devices with recordings to fetch. */
  readonly waitingDevices: () => number;
}

interface SyncParts {
  readonly registry: DeviceRegistry;
  readonly recorder: Pick<Recorder, 'index' | 'disk'>;
  readonly video: Pick<Video, 'remotePlayback' | 'devices'>;
  readonly transfer: SyncUploads;
  readonly ingest: Ingest;
  readonly planGate: PlanGate;
  readonly events: SyncedEvents;
}

interface SyncedEvents {
  readonly topics: Pick<EventTopics, 'stored'>;
  readonly evidence: {
    readonly clipOf: (type: string) => ClipLengths;
    /** Resolves once the recording that an event requested is held. */
    readonly clips: { recordingFetched(clip: FetchedClip): Promise<void> };
  };
}

interface Timing {
  readonly now: () => WallMs;
  readonly random: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly nextTurn: () => Promise<unknown>;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;
/** The records beside rules that decide which devices a rule covers. */
const REACH_RECORDS: readonly RecordKind[] = ['device', 'group', 'membergroup'];

export async function startSync(context: Context, given: SyncParts): Promise<Sync> {
  const { config, stores, bus, metrics, closing } = context;
  const { registry, events } = given;
  const timing = timingOf(context);
  const files = new KeptFiles({
    ...timing,
    folder: installationPath(config, 'sync'),
    items: stores.syncItems,
    maximumBytes: config.syncFilesMaxMb * MEGABYTE,
    keptMs: config.syncFilesDays * DAY_MS,
  });
  const left = await files.sweep();
  const sources = createSources(context, given.recorder);
  const directory = new SyncDirectory({ ...timing, sources: stores.syncSources, rules: stores.syncRules });
  await directory.reload();
  const engine = createEngine(context, given, { timing, directory, sources, files, left });
  directory.watch(() => engine.reviewRuns());
  const channels = (device: ChannelledDevice): readonly number[] => camerasOf(device, registry);
  const parts = createPlanning(context, given, { timing, directory, sources, engine, channels });
  const { listings, eventClips, planning } = parts;
  const recordings = stores.listedRecordings;
  const retention = new SyncRetention({
    ...timing,
    items: stores.syncItems,
    rules: stores.syncRules,
    recordings,
    files,
  });
  registerSyncMetrics(metrics, { engine, listings, eventClips });
  const unsubscribe = subscribe(given, directory, engine);
  closing.add('data sync', async () => {
    for (const stop of unsubscribe) stop();
    await Promise.all([eventClips.close(), listings.close(), planning.close(), retention.close(), directory.close()]);
    await engine.close();
  });
  followChanges(context, directory, planning);
  bus.deviceRemoved.subscribe('data sync', () => directory.reloadSoon());
  events.topics.stored.subscribe('clips from devices', (changes) => eventClips.eventsStored(changes));
  await engine.start();
  return {
    waitingDevices: () => engine.waitingDevices,
    forCalls: callsOf(context, { requests: parts.requests, sources, engine, channels, files }),
  };
}

function timingOf(context: Context): Timing {
  const { runAfter, onFault } = toolsOf(context, 'data sync');
  return { now: () => wallMs(Date.now()), random: Math.random, runAfter, nextTurn, onFault, onLimit: context.onLimit };
}

function createSources({ config, stores }: Context, recorder: SyncParts['recorder']): DeviceSources {
  return createDeviceSources({
    recordings: stores.listedRecordings,
    tracks: stores.trackSummary,
    positions: stores.positions,
    policies: stores.recordingPolicies,
    preset: presetPolicy(config),
    recorded: recorder.index,
  });
}

/** A rule that was changed plans anew, and its call is answered once it does. */
function followChanges({ stores, bus }: Context, directory: SyncDirectory, planning: DevicePlanning): void {
  const listChanged = listTeller(bus, 'sync');
  bus.recordsChanged.subscribe('data sync', async ({ kinds, memberGroup, id }) => {
    if (kinds.includes('syncrule')) {
      if (id !== undefined) await stores.syncItems.dropPlanned(id);
      await directory.reload();
      planning.planAllSoon();
      listChanged(memberGroup);
    } else if (kinds.some((kind) => REACH_RECORDS.includes(kind))) {
      directory.reloadSoon();
    }
  });
}

interface CallParts extends Pick<PlanningParts, 'sources' | 'engine' | 'channels'> {
  readonly requests: SyncRequests;
  readonly files: KeptFiles;
}

function callsOf({ bus }: Context, parts: CallParts): SyncCalls {
  const { requests, engine, sources, channels, files } = parts;
  return {
    requests,
    engine,
    sources,
    itemsChanged: listTeller(bus, 'sync'),
    channelsOf: channels,
    pathOf: (name) => files.pathOf(name),
  };
}

interface EngineParts {
  readonly timing: Timing;
  readonly directory: SyncDirectory;
  readonly sources: DeviceSources;
  readonly files: KeptFiles;
  readonly left: readonly LeftFiles[];
}

function createEngine(context: Context, given: SyncParts, parts: EngineParts): SyncEngine {
  const { stores, bus } = context;
  const { registry, video, planGate, recorder, ingest, transfer, events } = given;
  const { timing, directory, sources, files, left } = parts;
  const ftp = {
    ...timing,
    logins: transfer.logins,
    uploads: transfer.uploads,
    ingest,
    addressesOf: (deviceId: string) => addressesOf(deviceId, registry),
    makeFolder: () => files.makeFolder(),
    removeFolder: (path: string) => files.removeFolder(path),
    noteFile,
    keep: (path: string, bytes: number, item: number) => files.keep(path, bytes, item),
  };
  const leftovers = new Leftovers(left, {
    ...ftp,
    items: stores.syncItems,
    device: (incarnation) => directory.device(incarnation),
  });
  const playback = { ...timing, source: video.devices.playback, ingest };
  return new SyncEngine({
    ...timing,
    items: stores.syncItems,
    directory,
    sources,
    methods: new Methods(timing),
    fetchByFtp: (attempt) => fetchByFtp(attempt, ftp),
    fetchByPlayback: (attempt, isSlow) => fetchByPlayback(attempt, isSlow, playback),
    removeFile: (name) => files.remove(name),
    leftovers,
    isOnline: ({ deviceId, incarnation }) => registry.session(deviceId)?.incarnation === incarnation,
    watchesCard: (deviceId) => video.remotePlayback.isBusy(deviceId),
    planGate,
    isDiskReady: () => mayRecord(recorder.disk.state) && transfer.uploadDisk.isReady(),
    onChanged: listTeller(bus, 'sync'),
    onEventFetched: (clip) => events.evidence.clips.recordingFetched(clip),
  });
}

interface PlanningParts {
  readonly timing: Timing;
  readonly directory: SyncDirectory;
  readonly sources: DeviceSources;
  readonly engine: SyncEngine;
  readonly channels: (device: ChannelledDevice) => readonly number[];
}

function createPlanning({ stores, bus }: Context, { registry, events }: SyncParts, parts: PlanningParts) {
  const { timing, directory, sources, engine, channels } = parts;
  const { clipOf } = events.evidence;
  const listChanged = listTeller(bus, 'sync');
  const planning = new DevicePlanning({
    ...timing,
    directory,
    items: stores.syncItems,
    events: stores.syncSources,
    sources,
    channelsOf: channels,
    clipOf,
    isOfChannel: (type) => builtInType(type)?.unit === 'channel',
    onPlanned: (device) => {
      engine.kick(device.incarnation);
      for (const group of directory.ownersOf(device)) listChanged(group);
    },
  });
  const requests = new SyncRequests({
    ...timing,
    items: stores.syncItems,
    sources,
    onAdded: (incarnation) => engine.kick(incarnation),
  });
  const listings = new DeviceListings({
    ...timing,
    store: stores.listedRecordings,
    directory,
    onlineSinceMs: (device) => onlineSinceMs(device, registry),
    channelsOf: channels,
    daysBackOfRules: (device) => directory.rulesFor(device).map(({ content }) => content.daysBack),
    clockOf: (incarnation) => sources.clockOf(incarnation),
    ask: (device, channel, span) => ask(device, channel, { span, registry }),
    onListed: (device) => planning.planSoon(device.incarnation),
  });
  const eventClips = new EventClips({
    ...timing,
    directory,
    channelsOf: channels,
    clipOf,
    sources,
    requests,
    events: stores.syncSources,
  });
  return { planning, requests, listings, eventClips };
}

/** The functions that end each subscription. */
function subscribe(
  { registry, video, planGate }: SyncParts,
  directory: SyncDirectory,
  engine: SyncEngine,
): (() => unknown)[] {
  return [
    registry.subscribe((deviceId) => {
      const device = directory.presentDevice(deviceId);
      if (device !== undefined) engine.kick(device.incarnation);
    }),
    video.remotePlayback.subscribe((deviceId, isWatched) => engine.cardWatched(deviceId, isWatched)),
    planGate.subscribe((deviceId) => engine.planChanged(deviceId)),
  ];
}

/** Undefined while the device is offline, or when another device with its ID is online. */
function onlineSinceMs({ deviceId, incarnation }: SyncDevice, registry: DeviceRegistry): number | undefined {
  const presence = registry.presence(deviceId);
  return presence?.session.incarnation === incarnation ? presence.onlineSinceMs : undefined;
}

function camerasOf({ deviceId, chn, installchs }: ChannelledDevice, registry: DeviceRegistry): number[] {
  const known = channelsOf({ chn, installchs, ptzchs: '', talkchs: '' }, registry.facts(deviceId).channels);
  const numbers = Array.from({ length: known.chn }, (_, at) => at + 1);
  return numbers.filter((channel) => known.installchs === '' || known.installchs[channel - 1] === '1');
}

function addressesOf(deviceId: string, registry: DeviceRegistry) {
  const session = registry.session(deviceId);
  if (session === undefined) return undefined;
  const { relaxedMediaAddress, remoteAddress, localAddress } = session;
  return { remoteAddress: relaxedMediaAddress ? undefined : remoteAddress, localAddress };
}

interface Asked {
  readonly span: TimeRange;
  readonly registry: DeviceRegistry;
}

async function ask({ deviceId }: SyncDevice, channel: number, { span, registry }: Asked): Promise<AskedRecordings> {
  const session = registry.session(deviceId);
  if (session === undefined) return { ok: false, reason: 'away' };
  const [start, end] = [wallMs(span.fromMs), wallMs(span.toMs)];
  const answer = await askRecordings(session, { channel, quality: 'any', start, end });
  if (answer.ok) return { ok: true, recordings: answer.answer.flatMap(readItem) };
  return { ok: false, reason: answer.reason === 'refused' ? 'refused' : 'away' };
}
