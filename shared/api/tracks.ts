// Where devices were. Refused with 404 for a device that the current member group doesn't have.
import { DownloadAddress } from '../protocol/api/lists.ts';
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
import { downloadAddressOf } from './list.ts';
import { requestRecord } from './requestRecord.ts';

/** Half open, by the gateway's clock. */
export interface TrackSpan {
  readonly deviceid: string;
  readonly from: number;
  readonly to: number;
}

export interface TrackLineQuestion extends TrackSpan {
  /** Left out: as exact as `most` allows. */
  readonly degreesPerPixel?: number | undefined;
  readonly most?: number | undefined;
}

export function getTrackLine(query: TrackLineQuestion, signal?: AbortSignal): Promise<ApiResult<TrackLine>> {
  const { degreesPerPixel, ...rest } = query;
  const pixel = degreesPerPixel === undefined ? {} : { degreesPerPixel: degreesPerPixel.toFixed(12) };
  return requestRecord(TRACK_LINE_PATH, TrackLine, { query: { ...rest, ...pixel }, signal });
}

export function getTrackChart(
  query: TrackSpan & { readonly steps?: number },
  signal?: AbortSignal,
): Promise<ApiResult<TrackChart>> {
  return requestRecord(TRACK_CHART_PATH, TrackChart, { query: { ...query }, signal });
}

export interface TrackPointsQuestion extends TrackSpan {
  readonly limit?: number;
  /** Of these three, one. */
  readonly after?: string;
  readonly before?: string;
  readonly at?: number;
}

export function getTrackPoints(query: TrackPointsQuestion, signal?: AbortSignal): Promise<ApiResult<TrackPoints>> {
  return requestRecord(TRACK_POINTS_PATH, TrackPoints, { query: { ...query }, signal });
}

export function getTrackSummary(query: TrackSpan, signal?: AbortSignal): Promise<ApiResult<TrackSummary>> {
  return requestRecord(TRACK_SUMMARY_PATH, TrackSummary, { query: { ...query }, signal });
}

/** Where the browser downloads the file from, once. For users with `export`. */
export async function startTrackExport(body: TrackExport, signal?: AbortSignal): Promise<ApiResult<string>> {
  const result = await requestRecord(TRACK_EXPORT_PATH, DownloadAddress, { method: 'POST', body, signal });
  return downloadAddressOf(TRACK_EXPORT_PATH, result);
}
