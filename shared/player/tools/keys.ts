// What the keys of a tile do. Pure.

export type TileCommand =
  | 'sound'
  | 'snapshot'
  | 'fullscreen'
  | 'enlarge'
  | 'statistics'
  | 'talk'
  | 'camera'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-reset'
  | 'push-left'
  | 'push-right'
  | 'push-up'
  | 'push-down'
  | 'back';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>;

const COMMANDS: Readonly<Record<string, TileCommand>> = {
  m: 'sound',
  s: 'snapshot',
  f: 'fullscreen',
  e: 'enlarge',
  i: 'statistics',
  t: 'talk',
  c: 'camera',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  _: 'zoom-out',
  '0': 'zoom-reset',
  arrowleft: 'push-right',
  arrowright: 'push-left',
  arrowup: 'push-down',
  arrowdown: 'push-up',
  escape: 'back',
};

/** Nothing for keys that are the browser's. An arrow looks that way, so the picture is pushed the other way. */
export function commandOf({ key, ctrlKey, altKey, metaKey }: Key): TileCommand | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  return COMMANDS[key.toLowerCase()];
}
