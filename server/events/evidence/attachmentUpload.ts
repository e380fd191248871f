// The files of one list as they arrive: one row each, and a file once it is complete.
import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import { RANGES_LIMIT } from '../../device/attachments/attachmentLimits.ts';
import type { AnnouncedFile, AttachmentUpload, OpenAttachment } from '../../device/attachments/attachmentSink.ts';
import { ReceivedRanges } from '../../device/attachments/receivedRanges.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { EventRef, NewEventMedia, StoredEventMedia } from '../../store/events/eventMediaRows.ts';
import type { EvidenceStorage, FileOnDisk, GrowingFile } from './evidenceStorage.ts';
import type { PartialFiles } from './partialFiles.ts';

export interface AttachmentUploads {
  readonly storage: Pick<EvidenceStorage, 'open' | 'remove'>;
  readonly partials: Pick<PartialFiles, 'take' | 'setAside'>;
  readonly media: Pick<EventMediaStore, 'ofEvent' | 'add' | 'remove' | 'setState' | 'setStored'>;
  readonly onMedia: (archiveNumber: number, event: EventRef) => void;
  /** `isWhole`: every file of the list is complete. */
  readonly onEnded: (isWhole: boolean) => Promise<void>;
  readonly now: () => number;
  readonly onFault: OnFault;
}

export interface UploadTarget extends EventRef {
  readonly archiveNumber: number;
  readonly alarmNumber: string;
}

/** The state of one file: the id of its row, and whether all of it is stored. */
interface FileState {
  readonly id: number;
  isStored: boolean;
  /** A part that was kept before: the next file replaces it. */
  part: FileOnDisk | undefined;
}

/** Begins an upload. Files that an earlier connection has brought are not accepted again. */
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
      const { alarmNumber, archiveNumber } = target;
      const partial = deps.partials.take({ alarmNumber, name, sizeBytes });
      const file = partial?.file ?? (await deps.storage.open(sizeBytes, archiveNumber));
      if (file === undefined) return undefined;
      const received = partial?.received ?? new ReceivedRanges(sizeBytes, RANGES_LIMIT.max);
      return openAttachment({ file, received, state, target, announced: { name, sizeBytes } }, deps);
    },
    end: async () => {
      if (isOver) return;
      isOver = true;
      const unfinished = [...states.values()].filter(({ isStored }) => !isStored);
      const fail = (cause: unknown): void => deps.onFault(faultOf('files of an alarm could not be ended', cause));
      // Each is marked by itself: whoever waits for the end must also learn of it while the database is away.
      const without = unfinished.filter(({ part }) => part === undefined).map(({ id }) => id);
      await deps.media.setState(without, 'failed').catch(fail);
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
  for (const row of known.filter(({ name }) => name !== '')) {
    const listed = files.find(({ name }) => name === row.name);
    if (listed !== undefined && isSameFile(row, listed)) states.set(row.name, stateOf(row, listed));
  }
  const isWanted = ({ isStored, part }: FileState): boolean => !isStored && part === undefined;
  const again = [...states.values()].filter(isWanted).map(({ id }) => id);
  await media.setState(again, 'receiving');
  const added = files.filter(({ name }) => !states.has(name));
  const rows = added.map(({ name, sizeBytes }): NewEventMedia => {
    const what = { kind: 'attachment', channel: 0, name, state: 'receiving', bytes: sizeBytes } as const;
    const unknown = { file: undefined, terminalMediaId: undefined, takenAtMs: 0, storedAtMs: 0 };
    return { eventId, eventBeginAtMs, archiveNumber, ...what, ...unknown, attempts: 1, requestedAtMs: eventBeginAtMs };
  });
  const ids = await media.add(rows, EventMediaBit.Attachment);
  for (const [at, { name }] of added.entries())
    states.set(name, { id: ids[at] ?? 0, isStored: false, part: undefined });
  return states;
}

/** A complete file of another size is another file. */
function isSameFile({ state, bytes }: StoredEventMedia, { sizeBytes }: AnnouncedFile): boolean {
  return state !== 'stored' || bytes === sizeBytes;
}

/** An incomplete file is sent again: it isn't known which of its bytes are missing. */
function stateOf({ id, state, bytes, file, archiveNumber }: StoredEventMedia, { sizeBytes }: AnnouncedFile): FileState {
  const isStored = state === 'stored' && bytes === sizeBytes;
  const part = file === undefined || isStored ? undefined : { fileId: file.fileId, bytes, archiveNumber };
  return { id, isStored, part };
}

/** Drops a placeholder now that names are known. If the list has names of an earlier connection, the placeholder is another alarm's. */
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
  readonly file: GrowingFile;
  readonly received: ReceivedRanges;
  readonly state: FileState;
  readonly target: UploadTarget;
  readonly announced: AnnouncedFile;
}

function openAttachment(opened: Opened, deps: AttachmentUploads): OpenAttachment {
  const { file, received, state, target, announced } = opened;
  let isOver = false;
  const finish = async (): Promise<boolean> => {
    isOver = true;
    try {
      state.isStored = await keep(opened, deps);
      return state.isStored;
    } catch (cause) {
      deps.onFault(faultOf('a file of an alarm could not be stored', cause));
      return false;
    } finally {
      await file.discard();
    }
  };
  return {
    received,
    write: (offset, data) => file.write(offset, data),
    finish,
    setAside: async () => {
      if (isOver) return;
      isOver = true;
      if (received.bytes === 0) return file.discard();
      const settle = async (): Promise<void> => void (await finish());
      deps.partials.setAside({ ...target, ...announced, file, received, settle });
    },
  };
}

async function keep({ file, received, state, target }: Opened, deps: AttachmentUploads): Promise<boolean> {
  const { media, storage, now, onMedia } = deps;
  const { isCutPicture, ...stored } = await file.finish();
  const onDisk = { ...stored, archiveNumber: target.archiveNumber };
  const kept = received.isComplete && !isCutPicture ? 'stored' : 'incomplete';
  const row = {
    file: stored,
    takenAtMs: 0,
    storedAtMs: now(),
    mediaBit: EventMediaBit.Attachment,
    state: kept,
  } as const;
  const isKept = await media.setStored(state.id, row).catch(async (cause: unknown) => {
    await storage.remove([onDisk]);
    throw cause;
  });
  if (!isKept) {
    await storage.remove([onDisk]);
    return false;
  }
  if (state.part !== undefined) await storage.remove([state.part]);
  state.part = undefined;
  onMedia(target.archiveNumber, target);
  return true;
}
