// Lists whose pages only learn that they are out of date.
import type { ReloadTopic } from '../protocol/api/liveUpdates.ts';
import { rowTopic } from './rowTopic.ts';

function reloadTopic(topic: ReloadTopic): (onReload: () => void) => () => void {
  const listen = rowTopic<never>({
    topic,
    read: (message) => (message.type === topic ? { revision: message.revision, rows: undefined } : undefined),
    rowOf: () => {
      throw new TypeError(`the topic ${topic} has no rows`);
    },
  });
  return (onReload) => listen({ onRows: () => undefined, onReload });
}

/** First, and whenever fences of the member group have changed. The result ends it. */
export const listenForFences = reloadTopic('fences');

/** First, and whenever reports of the member group's members have come on; for sessions with the permission `report`. */
export const listenForReports = reloadTopic('reports');

/** First, and whenever firmware tasks of the member group have come on; for sessions with the permission `fwupdate`. */
export const listenForFirmware = reloadTopic('firmware');

/** First, and whenever what is fetched from the member group's devices has come on; for sessions with the permission `datasync`. */
export const listenForSync = reloadTopic('sync');

/** First, and each minute in which devices of the member group used data; for sessions with the permission `netflow`. */
export const listenForNetflow = reloadTopic('netflow');

/** First, and whenever a backup has come on; for sessions with the permissions `system` and `sysbackup`. */
export const listenForBackups = reloadTopic('backups');
