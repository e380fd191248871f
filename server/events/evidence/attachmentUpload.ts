// The files of one list as they come: a row each, and a file once it is whole.
import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import type { AnnouncedFile, AttachmentUpload, OpenAttachment } from '../../device/attachments/attachmentSink.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { EventRef, NewEventMedia, StoredEventMedia } from '../../store/events/eventMediaRows.ts';
import type { EvidenceStorage, ReservedFile } from './evidenceStorage.ts';

export interface AttachmentUploads {
  readonly storage: Pick<EvidenceStorage, 'reserve' | 'remove'>;
  readonly media: Pick<EventMediaStore, 'ofEvent' | 'add' | 'remove' | 'setState' | 'setStored'>;
  readonly onMedia: (archiveNumber: number, event: EventRef) => void;
  /** `isWhole`: every file of the list is there. */
  readonly onEnded: (isWhole: boolean) => Promise<void>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

export interface UploadTarget extends EventRef {
  readonly archiveNumber: number;
}

/** Id of its row, and whether it is there. */
interface FileState {
  readonly id: number;
  isStored: boolean;
}

/** Files that are there already, from an earlier connection, are not taken again. */
export async function beginUpload(
  target: UploadTarget,
  files: readonly AnnouncedFile[],
  deps: AttachmentUploads,
): Promise<AttachmentUpload> {
  const states = await noteFiles(target, files, deps.media);
  let isOver = false;
  return {
    open: async ({ name, sizeBytes }) => {
      const state = states.get(name);
      if (state === undefined) return undefined;
      if (state.isStored) return 'stored';
      const file = await deps.storage.reserve(sizeBytes, target.archiveNumber);
      return file === undefined ? undefined : openAttachment({ file, state, target }, deps);
    },
    end: async () => {
      if (isOver) return;
      isOver = true;
      const unfinished = [...states.values()].filter(({ isStored }) => !isStored).map(({ id }) => id);
      const fail = (cause: unknown): void => deps.onFault(faultOf('files of an alarm could not be ended', cause));
      // Each by itself: whoever waits for the end must hear of it while the database is away, too.
      await deps.media.setState(unfinished, 'failed').catch(fail);
      await deps.onEnded(unfinished.length === 0).catch(fail);
    },
  };
}

async function noteFiles(
  { eventId, eventBeginAtMs, archiveNumber }: UploadTarget,
  files: readonly AnnouncedFile[],
  media: AttachmentUploads['media'],
): Promise<Map<string, FileState>> {
  const known = (await media.ofEvent(eventId)).filter(({ kind }) => kind === 'attachment');
  await dropPlaceholder(known, files, media);
  const states = new Map<string, FileState>();
  for (const { id, name, bytes, state } of known.filter(({ name }) => name !== '')) {
    if (files.some((file) => file.name === name && (state !== 'stored' || file.sizeBytes === bytes))) {
      states.set(name, { id, isStored: state === 'stored' });
    }
  }
  const again = [...states.values()].filter(({ isStored }) => !isStored).map(({ id }) => id);
  await media.setState(again, 'receiving');
  const added = files.filter(({ name }) => !states.has(name));
  const rows = added.map(({ name, sizeBytes }): NewEventMedia => {
    const what = { kind: 'attachment', channel: 0, name, state: 'receiving', bytes: sizeBytes } as const;
    const unknown = { file: undefined, terminalMediaId: undefined, takenAtMs: 0, storedAtMs: 0 };
    return { eventId, eventBeginAtMs, archiveNumber, ...what, ...unknown, attempts: 1, requestedAtMs: eventBeginAtMs };
  });
  const ids = await media.add(rows, EventMediaBit.Attachment);
  for (const [at, { name }] of added.entries()) states.set(name, { id: ids[at] ?? 0, isStored: false });
  return states;
}

/** Their names are known now. Where some of them are known from an earlier connection, what is left is of another alarm. */
async function dropPlaceholder(
  known: readonly StoredEventMedia[],
  files: readonly AnnouncedFile[],
  media: AttachmentUploads['media'],
): Promise<void> {
  if (known.some(({ name }) => name !== '' && files.some((file) => file.name === name))) return;
  const unnamed = known.filter(({ name, state }) => name === '' && state !== 'stored');
  const placeholder = unnamed.find(({ state }) => state === 'requested') ?? unnamed[0];
  if (placeholder !== undefined) await media.remove(placeholder.id);
}

interface Opened {
  readonly file: ReservedFile;
  readonly state: FileState;
  readonly target: UploadTarget;
}

function openAttachment({ file, state, target }: Opened, deps: AttachmentUploads): OpenAttachment {
  return {
    write: (offset, data) => file.write(offset, data),
    discard: () => file.discard(),
    finish: async () => {
      try {
        state.isStored = await keep({ file, state, target }, deps);
        return state.isStored;
      } catch (cause) {
        deps.onFault(faultOf('a file of an alarm could not be stored', cause));
        return false;
      } finally {
        await file.discard();
      }
    },
  };
}

async function keep({ file, state, target }: Opened, { media, storage, now, onMedia }: AttachmentUploads) {
  const stored = await file.finish();
  const onDisk = { ...stored, archiveNumber: target.archiveNumber };
  const row = { file: stored, takenAtMs: 0, storedAtMs: now(), mediaBit: EventMediaBit.Attachment };
  const isKept = await media.setStored(state.id, row).catch(async (cause: unknown) => {
    await storage.remove([onDisk]);
    throw cause;
  });
  if (!isKept) await storage.remove([onDisk]);
  else onMedia(target.archiveNumber, target);
  return isKept;
}
