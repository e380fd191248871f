import { useCallback, useEffect, useRef } from 'react';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { tellStreamClosed } from './framing.ts';
import type { FramingInbox } from './framingInbox.ts';

/** For the tiles: the same functions from one rendering to the next. */
export interface Framing {
  readonly onClosed: (channel: number) => void;
  readonly onPlayer: (channel: number, player: TilePlayer | undefined) => void;
}

/** Answers the page that frames this one, and tells it which streams of the device close. */
export function useFraming(inbox: FramingInbox, deviceid: string): Framing {
  const players = useRef(new Map<number, TilePlayer>());
  const onPlayer = useCallback<Framing['onPlayer']>((channel, player) => {
    if (player === undefined) players.current.delete(channel);
    else players.current.set(channel, player);
  }, []);
  const onClosed = useCallback((channel: number) => tellStreamClosed(deviceid, channel), [deviceid]);
  useEffect(() => inbox.serve(players.current), [inbox]);
  return { onClosed, onPlayer };
}
