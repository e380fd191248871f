import './playbackScreen.css';
import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import type { VideoLayout } from '../../protocol/api/system.ts';
import type { PlayerEngine } from '../engine/engine.ts';
import { layoutOf } from '../page/layout.ts';
import { VideoGrid } from '../page/VideoGrid.tsx';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { useEnlarged } from '../tile/useEnlarged.ts';
import { VideoTile } from '../tile/VideoTile.tsx';
import { ControlsSlot, type ControlsSlotProps } from './ControlsSlot.tsx';

export interface PlaybackScreenProps
  extends Pick<
    ControlsSlotProps,
    'session' | 'source' | 'channels' | 'startMs' | 'exportable' | 'loadRanges' | 'keyScope'
  > {
  /** Whoever made the engine and the session closes them. */
  readonly engine: PlayerEngine;
  /** The address of a channel's stream, which belongs to the session. */
  readonly streamUrlOf: (channel: number) => string;
  /** The device by its name, where nothing around the screen says which it is. */
  readonly vehicle?: string | undefined;
  /** The server's preference for seven and eight channels. */
  readonly preferredLayout?: VideoLayout | undefined;
  /** A single tile does, with the controls over it; otherwise it is the largest 16:9 that the controls leave room for. */
  readonly fillsContainer: boolean;
  /** Whether the tiles have tools and the session has controls. */
  readonly hasControls: boolean;
  /** The stream has closed. Must be the same function from one rendering to the next. */
  readonly onClosed?: (channel: number) => void;
  /** A tile's player, and undefined when it ends. Must be the same function likewise. */
  readonly onPlayer?: (channel: number, player: TilePlayer | undefined) => void;
  /** Stands over the pictures. */
  readonly children?: ReactNode;
}

/**
 * The recordings of one device: its channels side by side, and the controls of the session that they share. Takes the size of its
 * container, whose height must be definite. Another session needs another `key`, which also resets the timeline.
 */
export function PlaybackScreen({
  engine,
  streamUrlOf,
  vehicle,
  preferredLayout,
  fillsContainer,
  hasControls,
  onClosed,
  onPlayer,
  children,
  ...controls
}: PlaybackScreenProps): ReactElement {
  const { session, source, channels, keyScope } = controls;
  const { deviceid } = source;
  const [screen, setScreen] = useState<HTMLElement | null>(null);
  const enlarged = useEnlarged(channels);
  const shown = enlarged.channel === undefined ? channels.length : 1;
  const layout = layoutOf({ channels: shown, preferred: preferredLayout, fillsContainer });
  const tools = useMemo(() => (hasControls ? { deviceid } : undefined), [hasControls, deviceid]);
  return (
    // A click between the parts gives the focus to the screen, and its keys with it.
    <div ref={setScreen} className="playback-screen" tabIndex={keyScope === 'screen' ? -1 : undefined}>
      <div className="playback-stage">
        <VideoGrid layout={layout}>
          {channels.map((channel) => (
            <VideoTile
              key={channel}
              engine={engine}
              session={session}
              channel={channel}
              vehicle={vehicle}
              onClosed={onClosed}
              onPlayer={onPlayer}
              tools={tools}
              enlarge={enlarged.controlOf(channel)}
              isCovered={enlarged.channel !== undefined && enlarged.channel !== channel}
              url={streamUrlOf(channel)}
            />
          ))}
        </VideoGrid>
        {children}
      </div>
      {hasControls && screen !== null && (
        <ControlsSlot {...controls} screen={screen} isOverPicture={layout.kind === 'fill'} />
      )}
    </div>
  );
}
