// The layout of a video page, which an administrator may change while it is open: for months, on a wall. Most such pages belong to links
// without a session, so the updates take them too, and tell them of what the server tells everybody.
import { useEffect, useState } from 'react';
import type { OpenServerInfo, VideoLayout } from '../../protocol/api/system.ts';
import { loadChunk } from '../../ui/loadChunk.ts';

/** After the first pictures, which nothing may hold up. */
const LISTEN_AFTER_MS = 2_000;

/** `loaded`: what the page began with; `pick`: its part of what the installation says of itself. */
export function useServerLayout(
  loaded: VideoLayout,
  pick: (info: OpenServerInfo) => VideoLayout | null | undefined,
): VideoLayout {
  const [layout, setLayout] = useState(loaded);
  useEffect(() => {
    let isOver = false;
    let stop: () => void = () => undefined;
    const timer = setTimeout(() => {
      loadChunk(() => import('../../live/publicLine.ts'), 'publicLine')
        .then(({ listenPublicly }) => {
          if (!isOver) stop = listenPublicly((info) => setLayout(pick(info) ?? ''));
        })
        // The page plays on with the layout that it has.
        .catch((error: unknown) => console.warn(error));
    }, LISTEN_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [pick]);
  return layout;
}
