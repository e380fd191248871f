// Pictures and files of events in the user's language.
import i18next from 'i18next';
import { type EventMedia, fileExtension } from '../../../protocol/api/eventMedia.ts';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** What it is, and of which channel. */
export function mediaName({
  kind,
  state,
  channel,
  name,
}: Pick<EventMedia, 'kind' | 'state' | 'channel' | 'name'>): string {
  const isIncomplete = kind === 'snapshot' && state === 'incomplete';
  const whole = kind === 'attachment' && name !== '' ? name : kindText(kind);
  const what = isIncomplete ? i18next.t('Incomplete snapshot', { ns: 'Events' }) : whole;
  return channel === 0 ? what : `${what} · ch ${channel}`;
}

function kindText(kind: EventMedia['kind']): string {
  switch (kind) {
    case 'snapshot':
      return i18next.t('Snapshot', { ns: 'Events' });
    case 'attachment':
      return i18next.t('File', { ns: 'Events' });
    case 'clip':
      return i18next.t('Clip', { ns: 'Events' });
  }
}

/** How large it is, or why it is not there. */
export function mediaState({
  kind,
  state,
  bytes,
  name,
}: Pick<EventMedia, 'kind' | 'state' | 'bytes' | 'name'>): string {
  switch (state) {
    case 'requested':
      return i18next.t('Requested', { ns: 'Events' });
    case 'receiving':
      return i18next.t('Receiving…', { ns: 'Events' });
    case 'stored':
      return kind === 'clip' ? i18next.t('Held as evidence', { ns: 'Events' }) : fileSize(bytes);
    case 'incomplete':
      return i18next.t('Incomplete, {{size}}', { ns: 'Events', size: fileSize(bytes) });
    case 'failed':
      return kind === 'clip' && name === 'no-room'
        ? i18next.t('No space for the clip', { ns: 'Events' })
        : i18next.t('Not received', { ns: 'Events' });
    case 'removed':
      return i18next.t('Removed', { ns: 'Events' });
  }
}

function fileSize(bytes: number): string {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** By what the file is, whatever the terminal calls it. */
export function savedName({ id, contentType }: Pick<EventMedia, 'id' | 'contentType'>): string {
  return `event-file-${id}${fileExtension(contentType)}`;
}
