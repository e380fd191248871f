import { useCallback, useState } from 'react';
import type { LoadedTrack, LoadedTracks } from './loadedTrack.ts';

const NONE: LoadedTracks = new Map();

export function useLoadedTracks(): readonly [LoadedTracks, (deviceId: string, track: LoadedTrack | undefined) => void] {
  const [tracks, setTracks] = useState(NONE);
  const onLoaded = useCallback((deviceId: string, track: LoadedTrack | undefined) => {
    setTracks((before) => {
      if (before.get(deviceId) === track) return before;
      const next = new Map(before);
      if (track === undefined) next.delete(deviceId);
      else next.set(deviceId, track);
      return next;
    });
  }, []);
  return [tracks, onLoaded];
}
