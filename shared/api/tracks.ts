// Where devices were. Codes of a refusal: `no-such-device`, `bad-track-span`, `too-many-tracks`.
import { DOWNLOAD_PATH, DownloadAddress } from '../protocol/api/lists.ts';
import {
  TRACK_CHART_PATH,
  TRACK_EXPORT_PATH,
  TRACK_LINE_PATH,
  TRACK_POINTS_PATH,
  TRACK_SUMMARY_PATH,
  TrackChart,
  type TrackExport,
  TrackLine,
  TrackPoints,
  TrackSummary,
} from '../protocol/api/tracks/track.ts';
import type { ApiResult } from './client.ts';
import { requestRecord } from './requestRecord.ts';

/** A half-open span by the gateway's clock. */
export interface AskedTrackSpan {
  readonly deviceid: string;
  readonly from: number;
  readonly to: number;
}

export interface AskedTrackLine extends AskedTrackSpan {
  /** Resolution of the map at the equator; left out: as exact as `most` allows. */
  readonly degreesPerPixel?: number | undefined;
  readonly most?: number | undefined;
}

export function getTrackLine(asked: AskedTrackLine, signal?: AbortSignal): Promise<ApiResult<TrackLine>> {
  const { degreesPerPixel } = asked;
  const query = { ...asked, degreesPerPixel: degreesPerPixel === undefined ? undefined : decimal(degreesPerPixel) };
  return requestRecord(TRACK_LINE_PATH, TrackLine, { query, signal });
}

/** The number in the form that the call takes: without the exponent that small numbers are written with. */
function decimal(degrees: number): string {
  return Math.min(degrees, 360).toFixed(12);
}

export function getTrackChart(
  asked: AskedTrackSpan & { readonly steps?: number | undefined },
  signal?: AbortSignal,
): Promise<ApiResult<TrackChart>> {
  return requestRecord(TRACK_CHART_PATH, TrackChart, { query: { ...asked }, signal });
}

export interface AskedTrackPoints extends AskedTrackSpan {
  readonly limit?: number | undefined;
  /** At most one of `after`, `before` and `at` is given. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** The page begins with the last position at or before that moment. */
  readonly at?: number | undefined;
}

export function getTrackPoints(asked: AskedTrackPoints, signal?: AbortSignal): Promise<ApiResult<TrackPoints>> {
  return requestRecord(TRACK_POINTS_PATH, TrackPoints, { query: { ...asked }, signal });
}

export function getTrackSummary(asked: AskedTrackSpan, signal?: AbortSignal): Promise<ApiResult<TrackSummary>> {
  return requestRecord(TRACK_SUMMARY_PATH, TrackSummary, { query: { ...asked }, signal });
}

/** The address that the browser downloads the file from. It works once, and for a minute. */
export async function startTrackExport(wanted: TrackExport): Promise<ApiResult<string>> {
  const result = await requestRecord(TRACK_EXPORT_PATH, DownloadAddress, { method: 'POST', body: wanted });
  if (!result.ok) return result;
  const { address } = result.value;
  // The browser opens the address on its own, so it must be a download on this site and nothing else.
  if (address.startsWith(`${DOWNLOAD_PATH}/`)) return { ok: true, value: address };
  return { ok: false, kind: 'http', status: 200, message: `${TRACK_EXPORT_PATH}: no address of a download` };
}
