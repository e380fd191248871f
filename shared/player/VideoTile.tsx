import './videoTile.css';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { PlayerEngine } from './engine.ts';
import { toggleFullscreen } from './fullscreen.ts';
import { SoundPrompt } from './SoundPrompt.tsx';
import { TileOverlay } from './TileOverlay.tsx';
import { type StreamSession, TilePlayer } from './tilePlayer.ts';
import { hasAudio, type SoundState } from './tileSound.ts';
import type { TileState } from './tileState.ts';

export interface VideoTileProps {
  readonly engine: PlayerEngine;
  readonly url: string;
  /** The device's channel number. */
  readonly channel: number;
  /** The playback session that the stream belongs to. */
  readonly session?: StreamSession | undefined;
  /** The stream has closed. Must be the same function from one rendering to the next. */
  readonly onClosed?: (channel: number) => void;
}

/** One video. All of the playing is TilePlayer's; this is its place in the page. */
export function VideoTile({ engine, url, channel, session, onClosed }: VideoTileProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<TileState>({ kind: 'idle' });
  const [sound, setSound] = useState<SoundState>({ isOn: hasAudio(url), isBlocked: false });
  useEffect(() => {
    if (host.current === null) return;
    const player = new TilePlayer(engine, {
      host: host.current,
      url,
      channel,
      session,
      onState: setState,
      onClosed: () => onClosed?.(channel),
      onSound: setSound,
    });
    return () => player.close();
  }, [engine, url, channel, session, onClosed]);
  const label = `ch ${channel}`;
  return (
    <section
      className="video-tile"
      aria-label={label}
      onDoubleClick={(event) => void toggleFullscreen(event.currentTarget)}
    >
      <div ref={host} className="video-tile-host" />
      <span className="video-tile-label">{label}</span>
      <TileOverlay state={state} />
      {sound.isOn && sound.isBlocked && <SoundPrompt onUnlock={() => engine.unlockSound()} />}
    </section>
  );
}
