// The page's query: what it shows, as an address says it. What is as at first is left out, and what it doesn't know is ignored. Pure.
import { MAX_TRACK_DEVICES } from '../../../../shared/protocol/api/tracks/track.ts';
import { queryText } from '../../../../shared/ui/frame/pageQuery.ts';
import { type ChosenPeriod, PERIODS } from './period.ts';

export interface PlaybackView extends ChosenPeriod {
  /** Device IDs in the order in which they were chosen. */
  readonly deviceIds: readonly string[];
  /** The one whose lists, chart and video are shown; one of them, '' without any. */
  readonly chosenId: string;
  /** The clock's position; undefined for the beginning. */
  readonly atMs: number | undefined;
}

export function viewOfQuery(query: string): PlaybackView {
  const values = new URLSearchParams(query);
  const deviceIds = [...new Set(values.getAll('device'))].filter((id) => id !== '').slice(0, MAX_TRACK_DEVICES);
  const chosen = values.get('chosen') ?? '';
  return {
    deviceIds,
    chosenId: deviceIds.includes(chosen) ? chosen : (deviceIds[0] ?? ''),
    atMs: momentOf(values.get('at')),
    ...periodOf(values),
  };
}

export function queryOfView({ deviceIds, chosenId, atMs, ...period }: PlaybackView): string {
  const values = new URLSearchParams();
  for (const id of deviceIds) values.append('device', id);
  if (chosenId !== '' && chosenId !== deviceIds[0]) values.set('chosen', chosenId);
  if (period.period === 'range') {
    values.set('from', String(period.fromMs));
    values.set('to', String(period.toMs));
  } else if (period.period !== 'today') values.set('period', period.period);
  if (atMs !== undefined) values.set('at', String(Math.floor(atMs)));
  return queryText(values);
}

/** Moments in an address are the range, whatever else it says of the period. */
function periodOf(values: URLSearchParams): ChosenPeriod {
  const [fromMs, toMs] = [momentOf(values.get('from')), momentOf(values.get('to'))];
  if (fromMs !== undefined && toMs !== undefined && fromMs < toMs) return { period: 'range', fromMs, toMs };
  const name = values.get('period');
  return { period: PERIODS.find((each) => each === name && each !== 'range') ?? 'today', fromMs: 0, toMs: 0 };
}

/** No later than the year 5138. */
function momentOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,14}$/.test(text) ? Number(text) : undefined;
}

/** The same without one device, of which another is chosen then. */
export function withoutDevice(view: PlaybackView, deviceId: string): PlaybackView {
  const deviceIds = view.deviceIds.filter((id) => id !== deviceId);
  return { ...view, deviceIds, chosenId: view.chosenId === deviceId ? (deviceIds[0] ?? '') : view.chosenId };
}

/** The view with one more device, which becomes the chosen one; the same view when there is no room for it. */
export function withDevice(view: PlaybackView, deviceId: string): PlaybackView {
  if (view.deviceIds.includes(deviceId)) return { ...view, chosenId: deviceId };
  if (view.deviceIds.length >= MAX_TRACK_DEVICES) return view;
  return { ...view, deviceIds: [...view.deviceIds, deviceId], chosenId: deviceId };
}
