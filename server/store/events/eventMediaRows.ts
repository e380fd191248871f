import type { Insertable, Selectable } from 'kysely';
import {
  EVENT_MEDIA_KINDS,
  EVENT_MEDIA_STATES,
  type EventMediaKind,
  type EventMediaState,
} from '../../../shared/protocol/events/eventWords.ts';
import { storableText } from '../../limits/storableText.ts';
import type { EventMediaTable } from './tables.ts';

/** The time tells PostgreSQL which month the event lies in. */
export interface EventRef {
  readonly eventId: number;
  readonly eventBeginAtMs: number;
}

export interface StoredFile {
  readonly fileId: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface NewEventMedia extends EventRef {
  readonly archiveNumber: number;
  readonly kind: EventMediaKind;
  /** From 1; 0 where it is not known. */
  readonly channel: number;
  readonly name: string;
  readonly state: EventMediaState;
  /** Announced size; for a stored file see `file`. */
  readonly bytes: number;
  readonly file: StoredFile | undefined;
  /** The terminal's id of the picture. */
  readonly terminalMediaId: number | undefined;
  readonly attempts: number;
  readonly takenAtMs: number;
  readonly requestedAtMs: number;
  readonly storedAtMs: number;
}

export interface StoredEventMedia extends NewEventMedia {
  readonly id: number;
}

export function toMediaRow(media: NewEventMedia): Insertable<EventMediaTable> {
  return {
    event_id: media.eventId,
    event_begin_at_ms: media.eventBeginAtMs,
    archive_number: media.archiveNumber,
    kind: media.kind,
    channel: media.channel,
    name: storableText(media.name),
    state: media.state,
    terminal_media_id: media.terminalMediaId ?? null,
    attempts: media.attempts,
    taken_at_ms: media.takenAtMs,
    requested_at_ms: media.requestedAtMs,
    stored_at_ms: media.storedAtMs,
    ...toFileColumns(media.file, media.bytes),
  };
}

export function toFileColumns(file: StoredFile | undefined, bytes = 0) {
  return {
    content_type: file?.contentType ?? '',
    bytes: file?.bytes ?? bytes,
    sha256: file?.sha256 ?? '',
    file_id: file?.fileId ?? '',
  };
}

export function toMedia(row: Selectable<EventMediaTable>): StoredEventMedia {
  const { content_type: contentType, bytes, sha256, file_id: fileId } = row;
  return {
    id: row.id,
    eventId: row.event_id,
    eventBeginAtMs: row.event_begin_at_ms,
    archiveNumber: row.archive_number,
    kind: EVENT_MEDIA_KINDS.find((kind) => kind === row.kind) ?? 'attachment',
    channel: row.channel,
    name: row.name,
    state: EVENT_MEDIA_STATES.find((state) => state === row.state) ?? 'failed',
    bytes,
    file: fileId === '' ? undefined : { fileId, contentType, bytes, sha256 },
    terminalMediaId: row.terminal_media_id ?? undefined,
    attempts: row.attempts,
    takenAtMs: row.taken_at_ms,
    requestedAtMs: row.requested_at_ms,
    storedAtMs: row.stored_at_ms,
  };
}
