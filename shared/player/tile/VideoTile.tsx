import '../videoTile.css';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { PlayerEngine } from '../engine/engine.ts';
import { toggleFullscreen } from '../page/fullscreen.ts';
import { SoundPrompt } from './SoundPrompt.tsx';
import { type TileAbsence, TileLimit, TileOverlay } from './TileOverlay.tsx';
import { type QualityState, TilePlayer } from './tilePlayer.ts';
import { hasAudio, type SoundState } from './tileSound.ts';
import type { StreamSession } from './tileSource.ts';
import { hidesPicture, type TileState } from './tileState.ts';
import type { EnlargeControl, TileToolOptions } from './tileToolOptions.ts';
import { loadTileTools, useTileTools } from './tileTools.ts';

export interface VideoTileProps {
  readonly engine: PlayerEngine;
  readonly url: string;
  /** The device's channel number. */
  readonly channel: number;
  /** The device's name, where tiles of several devices stand together. */
  readonly name?: string | undefined;
  /** The device, on a page of its own: it stands beside the label. */
  readonly vehicle?: string | undefined;
  /** Why pictures may be missing, as far as the page knows. */
  readonly absence?: TileAbsence | undefined;
  /** Pictures have stopped, or run again. Must be the same function from one rendering to the next. */
  readonly onStalled?: ((channel: number, isStalled: boolean) => void) | undefined;
  /** The playback session that the stream belongs to. */
  readonly session?: StreamSession | undefined;
  /** The stream has closed. Must be the same function from one rendering to the next. */
  readonly onClosed?: ((channel: number) => void) | undefined;
  /** The tile's player, and undefined when it ends. Must be the same function likewise. */
  readonly onPlayer?: ((channel: number, player: TilePlayer | undefined) => void) | undefined;
  /** Without them the tile has no tools. */
  readonly tools?: TileToolOptions | undefined;
  readonly enlarge?: EnlargeControl | undefined;
  /** Another tile stands in its place. */
  readonly isCovered?: boolean;
}

const NO_QUALITY: QualityState = { choice: 'auto', running: 'main', isSwitching: false, hasFailed: false };

/** One video. All of the playing is TilePlayer's; this is its place in the page. */
export function VideoTile({
  engine,
  url,
  channel,
  name,
  vehicle,
  absence,
  onStalled,
  session,
  onClosed,
  onPlayer,
  tools,
  enlarge,
  isCovered = false,
}: VideoTileProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const [tile, setTile] = useState<HTMLElement | null>(null);
  const [player, setPlayer] = useState<TilePlayer>();
  const [state, setState] = useState<TileState>({ kind: 'idle' });
  const [sound, setSound] = useState<SoundState>({ isOn: hasAudio(url), isBlocked: false });
  const [quality, setQuality] = useState(NO_QUALITY);
  const hasQualities = tools?.hasQualities === true;
  useEffect(() => {
    if (host.current === null) return;
    const made = new TilePlayer(engine, {
      host: host.current,
      url,
      channel,
      session,
      hasQualities,
      onState: setState,
      onClosed: () => onClosed?.(channel),
      onSound: setSound,
      onQuality: setQuality,
    });
    setPlayer(made);
    onPlayer?.(channel, made);
    return () => {
      onPlayer?.(channel, undefined);
      setPlayer(undefined);
      made.close();
    };
  }, [engine, url, channel, session, hasQualities, onClosed, onPlayer]);
  useEffect(() => player?.setCovered(isCovered), [player, isCovered]);
  // A tile behind another one asks for no pictures, so that it lacks none.
  const isStalled = state.kind === 'stalled' && !isCovered;
  useEffect(() => {
    if (!isStalled) return;
    onStalled?.(channel, true);
    return () => onStalled?.(channel, false);
  }, [isStalled, channel, onStalled]);
  const toolsState = useTileTools();
  // After the first picture, or when there is something to say in its place.
  const mayLoad = tools !== undefined && state.kind !== 'idle' && state.kind !== 'connecting';
  useEffect(() => {
    if (mayLoad) void loadTileTools();
  }, [mayLoad]);
  const Tools = toolsState.kind === 'ready' ? toolsState.Tools : undefined;
  const label = name === undefined ? `ch ${channel}` : `${name} · ch ${channel}`;
  return (
    <section
      ref={setTile}
      className="video-tile"
      aria-label={label}
      hidden={isCovered}
      onDoubleClick={(event) => void toggleFullscreen(event.currentTarget)}
    >
      <div ref={host} className="video-tile-host" style={{ visibility: hidesPicture(state) ? 'hidden' : 'inherit' }} />
      <p className="video-tile-names">
        <span className="video-tile-label">{label}</span>{' '}
        {vehicle !== undefined && <span className="video-tile-vehicle">{vehicle}</span>}
      </p>
      <TileOverlay state={state} live={session === undefined ? { absence, shownAtMs: player?.shownAtMs } : undefined} />
      {quality.limit !== undefined && state.kind !== 'failed' && <TileLimit limit={quality.limit} />}
      {sound.isOn && sound.isBlocked && <SoundPrompt onUnlock={() => engine.unlockSound()} />}
      {Tools !== undefined && tools !== undefined && tile !== null && player !== undefined && (
        <Tools
          tile={tile}
          player={player}
          engine={engine}
          channel={channel}
          state={state}
          sound={sound}
          quality={quality}
          enlarge={enlarge}
          isCovered={isCovered}
          options={tools}
        />
      )}
    </section>
  );
}
