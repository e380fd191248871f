import type { PlayerEngine } from '../engine/engine.ts';
import type { QualityState, TilePlayer } from './tilePlayer.ts';
import type { SoundState } from './tileSound.ts';
import type { TileState } from './tileState.ts';

/** What a page's tiles offer beside sound, snapshot, zoom, statistics and full screen, which every stream has. */
export interface TileToolOptions {
  /** Snapshots are named by it. */
  readonly deviceid: string;
  /** The stream comes in two qualities. */
  readonly hasQualities?: boolean;
  /** What the device has used today stands with the statistics. */
  readonly hasUsage?: boolean;
  /** The address of the line to the channel's loudspeaker, where there is one. */
  readonly talkUrl?: string | undefined;
  /** The viewer came to talk: the panel for it is open at once. */
  readonly opensTalk?: boolean;
  /** The address of the line to the channel's camera, where it can be moved. */
  readonly ptzUrl?: string | undefined;
}

/** A tile that can be shown alone in the place of all. */
export interface EnlargeControl {
  readonly isEnlarged: boolean;
  readonly toggle: () => void;
}

export interface TileToolsProps {
  readonly tile: HTMLElement;
  readonly player: TilePlayer;
  readonly engine: PlayerEngine;
  readonly channel: number;
  readonly state: TileState;
  readonly sound: SoundState;
  readonly quality: QualityState;
  readonly options: TileToolOptions;
  /** Absent where there is only one tile. */
  readonly enlarge: EnlargeControl | undefined;
  /** Another tile stands in its place. */
  readonly isCovered: boolean;
}
