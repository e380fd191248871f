// The form that asks for recordings of a device, as data. Pure.
import { MAX_SYNC_REQUEST_MS, type SyncRequest } from '../../protocol/api/sync/sync.ts';
import type { SyncStream } from '../../protocol/sync/syncWords.ts';
import type { Problems } from '../form/formState.ts';

export interface FetchDraft {
  readonly deviceid: string;
  /** Numbers; empty: all. */
  readonly channels: readonly string[];
  readonly stream: SyncStream;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export interface FetchTexts {
  readonly noDevice: string;
  readonly noTime: string;
  readonly wrongOrder: string;
  readonly tooLong: string;
}

export function checkFetch({ deviceid, fromMs, toMs }: FetchDraft, texts: FetchTexts): Problems<FetchDraft> {
  const isKnown = isTime(fromMs) && isTime(toMs);
  return {
    deviceid: deviceid === '' ? texts.noDevice : undefined,
    fromMs: isTime(fromMs) ? undefined : texts.noTime,
    toMs: isTime(toMs) ? (isKnown ? rangeProblem(fromMs, toMs, texts) : undefined) : texts.noTime,
  };
}

function rangeProblem(fromMs: number, toMs: number, { wrongOrder, tooLong }: FetchTexts): string | undefined {
  if (toMs <= fromMs) return wrongOrder;
  return toMs - fromMs > MAX_SYNC_REQUEST_MS ? tooLong : undefined;
}

function isTime(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}

/** The request of a draft without problems. Only the gateway knows which channels have a camera, so naming none stands for all of them. */
export function requestOfDraft({ deviceid, channels, stream, fromMs, toMs }: FetchDraft): SyncRequest {
  return { deviceid, stream, channels: channels.map(Number), fromMs: fromMs ?? 0, toMs: toMs ?? 0 };
}
