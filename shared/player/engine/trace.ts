// Every picture shown, for tests and measurements: only in a page whose address asks for it with `trace=1`.
import type { PlayerEngine, TracedPicture } from './engine.ts';

declare global {
  /** The pictures shown, oldest first; absent unless the page was opened with `trace=1`. A reader may empty it. */
  var __fleetglassTrace: TracedPicture[] | undefined;
}

/** Five minutes of eight channels: a page left open with the flag must not grow for ever. */
const MAX_PICTURES = 60_000;

export function exposeTrace(engine: PlayerEngine, search: string): void {
  if (new URLSearchParams(search).get('trace') !== '1') return;
  const pictures: TracedPicture[] = [];
  globalThis.__fleetglassTrace = pictures;
  engine.trace((shown) => {
    pictures.push(...shown);
    if (pictures.length > MAX_PICTURES) pictures.splice(0, pictures.length - MAX_PICTURES);
  });
}
