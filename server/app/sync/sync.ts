// Runs data sync in the gateway: copies recordings of devices to the server, as rules, members and events request them.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { RecordKind } from '../../../shared/protocol/api/liveUpdates.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { type ChangeBus, listTeller } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import { channelsOf } from '../../device/channels.ts';
import { askRecordings } from '../../device/playback/askRecordings.ts';
import { readItem } from '../../device/playback/recordingList.ts';
import type { RemoteSource } from '../../device/playback/remoteSource.ts';
import type { DeviceRegistry } from '../../device/registry.ts';
import type { PlanGate } from '../../device/usage/planGate.ts';
import type { EventTopics } from '../../events/engine/eventTopics.ts';
import type { FetchedClip } from '../../events/evidence/clipHolds.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { FtpLogins } from '../../ftp/ftpLogin.ts';
import { installationPath } from '../../installation.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { mayRecord } from '../../recording/diskState.ts';
import type { Recorder } from '../../recording/recorder.ts';
import type { Stores } from '../../store/stores.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import type { RemotePlayback } from '../../stream/remote/remotePlayback.ts';
import { SyncDirectory } from '../../sync/directory.ts';
import { fetchByFtp } from '../../sync/engine/attempts/ftpAttempt.ts';
import { fetchByPlayback } from '../../sync/engine/attempts/playbackAttempt.ts';
import type { UploadPort } from '../../sync/engine/attempts/uploadPort.ts';
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
import { presetPolicy } from '../recordings.ts';
import type { Video } from '../video.ts';
import type { UploadDisk } from './uploadDisk.ts';

export interface Sync {
  readonly forCalls: SyncCalls;
  /** Number of devices with recordings to fetch. */
  readonly waitingDevices: () => number;
}

export interface SyncDeps {
  readonly stores: Stores;
  readonly registry: DeviceRegistry;
  readonly recorder: Pick<Recorder, 'index' | 'disk'>;
  readonly remotePlayback: Pick<RemotePlayback, 'isBusy' | 'subscribe'>;
  readonly playback: RemoteSource;
  readonly logins: FtpLogins;
  readonly uploads: UploadPort;
  readonly uploadDisk: Pick<UploadDisk, 'isReady'>;
  readonly ingest: Ingest;
  readonly planGate: PlanGate;
  readonly clipOf: (type: string) => ClipLengths;
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'deviceRemoved' | 'listChanged'>;
  readonly eventTopics: Pick<EventTopics, 'stored'>;
  /** The recording that an event requested has arrived. Resolves once it is held. */
  readonly onEventFetched: (clip: FetchedClip) => Promise<void>;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

/** What data sync needs of the video path. */
export function forSync({ remotePlayback, devices }: Pick<Video, 'remotePlayback' | 'devices'>) {
  return { remotePlayback, playback: devices.playback };
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

export async function startSync(config: Config, deps: SyncDeps): Promise<Sync> {
  const { stores, registry, closing } = deps;
  const timing = timingOf(deps);
  const files = new KeptFiles({
    ...timing,
    folder: installationPath(config, 'sync'),
    items: stores.syncItems,
    maximumBytes: config.syncFilesMaxMb * MEGABYTE,
    keptMs: config.syncFilesDays * DAY_MS,
  });
  const left = await files.sweep();
  const sources = createSources(config, deps);
  let engine: SyncEngine | undefined;
  const directory = new SyncDirectory({
    ...timing,
    sources: stores.syncSources,
    rules: stores.syncRules,
    onReloaded: () => engine?.reviewRuns(),
  });
  await directory.reload();
  const running = createEngine(deps, timing, { directory, sources, files, left });
  engine = running;
  const channels = (device: ChannelledDevice): readonly number[] => camerasOf(device, registry);
  const parts = createPlanning(deps, timing, { directory, sources, engine, channels });
  const { listings, eventClips, planning } = parts;
  const recordings = stores.listedRecordings;
  const retention = new SyncRetention({
    ...timing,
    items: stores.syncItems,
    rules: stores.syncRules,
    recordings,
    files,
  });
  registerSyncMetrics(deps.metrics, { engine, listings, eventClips });
  const unsubscribe = subscribe(deps, directory, engine);
  closing.add('data sync', async () => {
    for (const stop of unsubscribe) stop();
    await Promise.all([eventClips.close(), listings.close(), planning.close(), retention.close(), directory.close()]);
    await running.close();
  });
  followChanges(deps, directory, planning);
  deps.bus.deviceRemoved.subscribe('data sync', () => directory.reloadSoon());
  deps.eventTopics.stored.subscribe('clips from devices', (changes) => eventClips.eventsStored(changes));
  await engine.start();
  return {
    waitingDevices: () => running.waitingDevices,
    forCalls: callsOf(deps, { ...parts, directory, sources, engine, channels, files }),
  };
}

function timingOf({ log, onLimit }: SyncDeps): Timing {
  const onFault = (error: Error): void => log.error({ err: error }, 'data sync');
  return {
    now: () => wallMs(Date.now()),
    random: Math.random,
    runAfter: createRunAfter(onFault),
    nextTurn,
    onFault,
    onLimit,
  };
}

function createSources(config: Config, { stores, recorder }: SyncDeps): DeviceSources {
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
function followChanges({ stores, bus }: SyncDeps, directory: SyncDirectory, planning: DevicePlanning): void {
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

interface CallParts extends PlanningParts {
  readonly requests: SyncRequests;
  readonly files: KeptFiles;
}

function callsOf({ bus }: SyncDeps, parts: CallParts): SyncCalls {
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
  readonly directory: SyncDirectory;
  readonly sources: DeviceSources;
  readonly files: KeptFiles;
  readonly left: readonly LeftFiles[];
}

function createEngine(deps: SyncDeps, timing: Timing, { directory, sources, files, left }: EngineParts): SyncEngine {
  const { stores, registry, remotePlayback, planGate, recorder, ingest } = deps;
  const ftp = {
    ...timing,
    logins: deps.logins,
    uploads: deps.uploads,
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
  const playback = { ...timing, source: deps.playback, ingest };
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
    watchesCard: (deviceId) => remotePlayback.isBusy(deviceId),
    planGate,
    isDiskReady: () => mayRecord(recorder.disk.state) && deps.uploadDisk.isReady(),
    onChanged: listTeller(deps.bus, 'sync'),
    onEventFetched: deps.onEventFetched,
  });
}

interface PlanningParts {
  readonly directory: SyncDirectory;
  readonly sources: DeviceSources;
  readonly engine: SyncEngine;
  readonly channels: (device: ChannelledDevice) => readonly number[];
}

function createPlanning(deps: SyncDeps, timing: Timing, { directory, sources, engine, channels }: PlanningParts) {
  const { stores, registry, clipOf } = deps;
  const listChanged = listTeller(deps.bus, 'sync');
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
function subscribe(deps: SyncDeps, directory: SyncDirectory, engine: SyncEngine): (() => unknown)[] {
  const { registry, remotePlayback, planGate } = deps;
  return [
    registry.subscribe((deviceId) => {
      const device = directory.presentDevice(deviceId);
      if (device !== undefined) engine.kick(device.incarnation);
    }),
    remotePlayback.subscribe((deviceId, isWatched) => engine.cardWatched(deviceId, isWatched)),
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
