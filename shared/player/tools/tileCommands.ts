// What the commands of a tile do, whether they come by key or by button.
import { toggleFullscreen } from '../page/fullscreen.ts';
import type { TileToolsProps } from '../tile/tileToolOptions.ts';
import type { TileCommand } from './keys.ts';
import { saveSnapshot } from './snapshotFile.ts';
import type { Zoom } from './useZoom.ts';
import { KEY_FACTOR, KEY_SHARE, type Place } from './zoom.ts';

export type Panel = 'talk' | 'camera';

export interface CommandContext {
  readonly props: TileToolsProps;
  readonly zoom: Zoom;
  readonly panel: Panel | undefined;
  readonly setPanel: (panel: Panel | undefined) => void;
  readonly toggleStatistics: () => void;
  /** The file's name; undefined when there is no picture yet. */
  readonly onSnapshot: (name: string | undefined) => void;
}

/** Narrower tiles have no room for a row of buttons, and these for a panel. */
const TOOLS_FROM_PIXELS = 210;
const PANEL_FROM_PIXELS = 420;

/** Whether there was a use for the command. */
export function runCommand(command: TileCommand, context: CommandContext): boolean {
  const { props, toggleStatistics } = context;
  const { tile, player, sound, options, enlarge } = props;
  switch (command) {
    case 'sound':
      player.setSound(!sound.isOn);
      return true;
    case 'snapshot':
      void takeSnapshot(context);
      return true;
    case 'fullscreen':
      void toggleFullscreen(tile);
      return true;
    case 'enlarge':
      enlarge?.toggle();
      return enlarge !== undefined;
    case 'statistics':
      toggleStatistics();
      return true;
    case 'talk':
      return options.talkUrl !== undefined && togglePanel('talk', context);
    case 'camera':
      return options.ptzUrl !== undefined && togglePanel('camera', context);
    case 'back':
      return goBack(context);
    default:
      return runZoom(command, context.zoom);
  }
}

/** Gives a tile that is too small for tools the place of all. Whether it did. */
export function enlargeSmall({ tile, enlarge }: TileToolsProps, fromPixels = TOOLS_FROM_PIXELS): boolean {
  if (enlarge === undefined || enlarge.isEnlarged || tile.clientWidth >= fromPixels) return false;
  enlarge.toggle();
  return true;
}

function togglePanel(which: Panel, { props, panel, setPanel }: CommandContext): true {
  if (panel !== which) enlargeSmall(props, PANEL_FROM_PIXELS);
  setPanel(panel === which ? undefined : which);
  return true;
}

function goBack({ props: { enlarge }, panel, setPanel }: CommandContext): boolean {
  if (panel !== undefined) setPanel(undefined);
  else if (enlarge?.isEnlarged === true) enlarge.toggle();
  else return false;
  return true;
}

async function takeSnapshot({ props, onSnapshot }: CommandContext): Promise<void> {
  const { player, options, channel } = props;
  const taken = await player.snapshot('png');
  onSnapshot(taken && saveSnapshot(taken, { deviceid: options.deviceid, channel }));
}

const PUSHES: Partial<Readonly<Record<TileCommand, Place>>> = {
  'push-left': { x: -KEY_SHARE, y: 0 },
  'push-right': { x: KEY_SHARE, y: 0 },
  'push-up': { x: 0, y: -KEY_SHARE },
  'push-down': { x: 0, y: KEY_SHARE },
};

function runZoom(command: TileCommand, zoom: Zoom): boolean {
  const push = PUSHES[command];
  if (push !== undefined) return zoom.push(push);
  if (command === 'zoom-in') zoom.by(KEY_FACTOR);
  if (command === 'zoom-out') zoom.by(1 / KEY_FACTOR);
  if (command === 'zoom-reset') zoom.reset();
  return true;
}
