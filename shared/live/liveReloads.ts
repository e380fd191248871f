// Lists whose pages are told no more than that they are out of date.
import { rowTopic } from './rowTopic.ts';

function reloadTopic(topic: 'fences' | 'reports'): (onReload: () => void) => () => void {
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
