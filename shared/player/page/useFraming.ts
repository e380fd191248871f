import { useCallback, useEffect, useRef } from 'react';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import type { FramingInbox } from './framingInbox.ts';

type NotePlayer = (channel: number, player: TilePlayer | undefined) => void;

/** Answers the page that frames this one. What is given is to be called with each tile's player as it comes and goes. */
export function useFraming(inbox: FramingInbox | undefined): NotePlayer {
  const players = useRef(new Map<number, TilePlayer>());
  const note = useCallback<NotePlayer>((channel, player) => {
    if (player === undefined) players.current.delete(channel);
    else players.current.set(channel, player);
  }, []);
  useEffect(() => inbox?.serve(players.current), [inbox]);
  return note;
}
