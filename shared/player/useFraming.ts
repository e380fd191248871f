import { useCallback, useEffect, useRef } from 'react';
import { answerFramingRequest, readFramingRequest, tellReady } from './framing.ts';
import type { TilePlayer } from './tilePlayer.ts';

type NotePlayer = (channel: number, player: TilePlayer | undefined) => void;

/** Answers the page that frames this one. What is given is to be called with each tile's player as it comes and goes. */
export function useFraming(deviceid: string, channels: readonly number[]): NotePlayer {
  const players = useRef(new Map<number, TilePlayer>());
  const note = useCallback<NotePlayer>((channel, player) => {
    if (player === undefined) players.current.delete(channel);
    else players.current.set(channel, player);
  }, []);
  useEffect(() => {
    if (window.parent === window) return;
    const onMessage = (event: MessageEvent) => {
      // Only the page that frames this one; `frame-ancestors` has settled which pages may.
      if (event.source !== window.parent || event.origin === 'null') return;
      const request = readFramingRequest(event.data);
      if (request === undefined) return;
      const ordered = new Map([...players.current].sort(([left], [right]) => left - right));
      void answerFramingRequest(request, ordered).then((answer) => window.parent.postMessage(answer, event.origin));
    };
    window.addEventListener('message', onMessage);
    tellReady(deviceid, channels);
    return () => window.removeEventListener('message', onMessage);
  }, [deviceid, channels]);
  return note;
}
