// Runs the evidence of events in the gateway: brings pictures and files from terminals onto the disk, each under its event.

import { channelOfWire } from '../device/channelNumbers.ts';
import type { DeviceGatewayDeps } from '../device/deviceGateway.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { DeviceSettings } from '../events/config/deviceSettings.ts';
import type { EventTopics } from '../events/engine/eventTopics.ts';
import { AttachmentRequests } from '../events/evidence/attachmentRequests.ts';
import { ClipHolds } from '../events/evidence/clipHolds.ts';
import { EvidenceFiles } from '../events/evidence/evidenceFiles.ts';
import { EvidenceRoom } from '../events/evidence/evidenceRoom.ts';
import { EvidenceStorage } from '../events/evidence/evidenceStorage.ts';
import type { ClipSpan } from '../events/evidence/pictureMatch.ts';
import { Pictures } from '../events/evidence/pictures.ts';
import { type EvidenceSigner, loadOrMakeSigner } from '../events/evidence/signingKey.ts';
import { SnapshotRequests } from '../events/evidence/snapshotRequests.ts';
import type { EventTypes } from '../events/types/eventTypes.ts';
import { inBackground } from '../faults/background.ts';
import { installationPath } from '../installation.ts';
import type { DeviceOwners } from '../limits/deviceOwners.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type Context, toolsOf } from './context.ts';

export interface Evidence {
  readonly files: EvidenceFiles;
  readonly storage: EvidenceStorage;
  readonly snapshots: SnapshotRequests;
  readonly attachments: AttachmentRequests;
  readonly clips: ClipHolds;
  readonly room: EvidenceRoom;
  readonly signer: EvidenceSigner;
  clipOf(type: string): ClipSpan;
  readonly storePicture: NonNullable<DeviceGatewayDeps['storePicture']>;
}

interface EvidenceParts {
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly types: EventTypes;
  readonly settings: Pick<DeviceSettings, 'actionsOf'>;
  readonly recorder: Pick<Recorder, 'index'>;
  readonly topics: Pick<EventTopics, 'stored'>;
  readonly owners: DeviceOwners;
  /** Something new is stored for these events. */
  readonly onMedia: (eventIds: readonly number[]) => void;
}

const MEGABYTE = 1024 * 1024;
/** The span for event types that no longer exist. */
const ANY_CLIP: ClipSpan = { beforeS: 10, afterS: 20 };

export async function startEvidence(context: Context, parts: EvidenceParts): Promise<Evidence> {
  const { config, stores, feed, closing, onLimit } = context;
  const { registry, types, settings, recorder, owners, onMedia } = parts;
  const { runAfter, onFault } = toolsOf(context, 'evidence');
  const common = { now: Date.now, runAfter, owners, onFault, onLimit };
  const store = stores.eventMedia;
  const files = new EvidenceFiles(installationPath(config, 'evidence'));
  const maximumBytes = config.eventMediaMaxMb * MEGABYTE;
  const storage = new EvidenceStorage({ ...common, files, store, maximumBytes });
  await startStorage(storage, onFault);
  const snapshots = new SnapshotRequests({ ...common, store, sessionOf: (deviceId) => registry.session(deviceId) });
  await snapshots.start();
  closing.add('snapshots', () => snapshots.close());
  const pictures = new Pictures({
    ...common,
    storage,
    store,
    clipOf: (type) => clipOf(types, type),
    onCame: (archiveNumber, id) => snapshots.came(archiveNumber, id),
    onMedia: (_, { eventId }) => onMedia([eventId]),
  });
  closing.add('pictures', () => pictures.close());
  const attachments = new AttachmentRequests({
    ...common,
    storage,
    media: store,
    requests: stores.attachmentRequests,
    missedEvidence: stores.missedEvidence,
    sessionOf: (deviceId) => registry.session(deviceId),
    areWanted: (device, type) => settings.actionsOf(device, type)?.requestsFiles !== false,
    onMedia: (_, { eventId }) => onMedia([eventId]),
  });
  await attachments.start();
  closing.add('attachments', () => attachments.close());
  const room = new EvidenceRoom({ ...common, ...stores, maximumBytes: config.evidenceMaxMb * MEGABYTE });
  const clips = new ClipHolds({
    ...common,
    ...stores,
    room,
    recordedRanges: (query) => recorder.index.ranges(query),
    archiveIdOf: async (deviceId) => (await stores.devices.findByDeviceId(deviceId))?.archiveId,
    clipOf: (type) => clipOf(types, type),
    onClip: ({ eventId }) => onMedia([eventId]),
  });
  closing.add('clips', () => clips.close());
  const unsubscribe = feed.subscribe('evidence', (report) => {
    if (report.kind !== 'presence') return;
    snapshots.presence(report);
    attachments.presence(report);
  });
  closing.add('feed of evidence', unsubscribe);
  followEvents(context, { topics: parts.topics, pictures, attachments, clips });
  return {
    files,
    storage,
    snapshots,
    attachments,
    clips,
    room,
    signer: loadOrMakeSigner(installationPath(config, 'evidenceKey')),
    clipOf: (type) => clipOf(types, type),
    storePicture: (session, upload) =>
      pictures.store(session, { ...upload, channel: channelOfWire(session, upload.channel) }),
  };
}

interface FollowingParts extends Pick<EvidenceParts, 'topics'> {
  readonly pictures: Pictures;
  readonly attachments: AttachmentRequests;
  readonly clips: ClipHolds;
}

function followEvents(context: Context, { topics, pictures, attachments, clips }: FollowingParts): void {
  const { onFault } = toolsOf(context, 'evidence');
  topics.stored.subscribe('pictures', (changes) => pictures.eventsStored(changes));
  topics.stored.subscribe('attachments', (changes) => attachments.eventsStored(changes));
  topics.stored.subscribe('clips', (changes) => clips.eventsStored(changes));
  context.bus.eventsActed.subscribe('clips', (acted) => {
    const wrong = acted.filter(({ after }) => after === 'false-alarm').map(({ id }) => clips.release(id));
    inBackground('clips of false alarms could not be released', Promise.all(wrong), onFault);
  });
}

/** Corrects differences between the files in the database and in the folder in the background. */
async function startStorage(storage: EvidenceStorage, onFault: (error: Error) => void): Promise<void> {
  const startedAtMs = Date.now();
  await storage.start();
  inBackground('files that belong to nothing could not be removed', storage.removeUnknown(startedAtMs), onFault);
  inBackground('files that are gone could not be named', storage.markLost(), onFault);
}

function clipOf(types: EventTypes, code: string): ClipSpan {
  const type = types.find(code);
  return type === undefined ? ANY_CLIP : { beforeS: type.clipBeforeS, afterS: type.clipAfterS };
}
