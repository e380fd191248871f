// How each place looks: by color and by pattern, so that no two are told apart by their color alone.
import { SYNC_PLACES, type SyncPlace } from '../../../../shared/protocol/sync/syncWords.ts';

const stripes = (color: string, degrees: number): string =>
  `repeating-linear-gradient(${degrees}deg, ${color} 0 3px, transparent 3px 6px)`;

export const PLACE_LOOKS: Readonly<Record<SyncPlace, { readonly background: string; readonly border: string }>> = {
  device: { background: stripes('#c9821a', 45), border: '#c9821a' },
  server: { background: '#2f8fd8', border: '#2f8fd8' },
  both: { background: '#1f9d76', border: '#1f9d76' },
  gone: { background: stripes('#8d99a6', 0), border: '#8d99a6' },
  due: { background: stripes('#7f63c4', 135), border: '#7f63c4' },
  missing: { background: 'transparent', border: '#d0464f' },
};

/** Milliseconds of each place as parts of a cell, in the order of SYNC_PLACES; those without any are left out. */
export function partsOf(places: readonly number[]): readonly { readonly place: SyncPlace; readonly ms: number }[] {
  return SYNC_PLACES.map((place, at) => ({ place, ms: places[at] ?? 0 })).filter(({ ms }) => ms > 0);
}
