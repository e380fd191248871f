// Calculates latencies, gaps and losses from what was sent and what was seen. Pure.
import type { StripSample } from '../../support/browser/stripSampler.ts';
import { gaps } from '../statistics.ts';
import { FRAME_MS } from './benchClip.ts';
import type { Seen } from './pageProbe.ts';
import type { SentStream } from './pictureServer.ts';
import type { ScreenReading } from './screens.ts';

export interface Judged {
  readonly latencyMs: readonly number[];
  /** The same, measured up to when the picture was given to the compositor. */
  readonly committedMs: readonly number[];
  readonly gapMs: readonly number[];
  /** Latencies of the pictures sent before the network's hole, and of those sent from 2 s after it on; empty without a hole. */
  readonly beforeHoleMs: readonly number[];
  readonly afterHoleMs: readonly number[];
  readonly sent: number;
  /** Includes pictures that a video element counts as presented without reporting when. */
  readonly shown: number;
  readonly fps: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** The page's clock minus the server's. */
  readonly offsetMs: number;
}

const AFTER_HOLE_MS = 2_000;

const frameOf = ({ mediaTimeUs }: Seen): number => Math.round(mediaTimeUs / 1000 / FRAME_MS);

export function judgeChannel(stream: SentStream, seen: readonly Seen[], { fromMs, toMs, offsetMs }: Span): Judged {
  const shownOf = new Map(seen.map((picture) => [frameOf(picture), picture]));
  const frames = [...stream.times].filter(([, sentAt]) => sentAt >= fromMs && sentAt < toMs);
  const pairs = frames.flatMap(([frame, sentAt]) => {
    const picture = shownOf.get(frame);
    return picture === undefined ? [] : [{ sentAt, picture, latencyMs: picture.at - offsetMs - sentAt }];
  });
  const shownAt = pairs.map(({ picture }) => picture.at).sort((left, right) => left - right);
  const { holeMs } = stream;
  const latenciesWhere = (isWanted: (sentAt: number) => boolean): number[] =>
    pairs.filter(({ sentAt }) => isWanted(sentAt)).map(({ latencyMs }) => latencyMs);
  return {
    latencyMs: pairs.map(({ latencyMs }) => latencyMs),
    committedMs: pairs.flatMap(({ picture: { committedAt }, sentAt }) =>
      committedAt === undefined ? [] : [committedAt - offsetMs - sentAt],
    ),
    gapMs: gaps(shownAt),
    beforeHoleMs: holeMs === undefined ? [] : latenciesWhere((sentAt) => sentAt < holeMs.fromMs),
    afterHoleMs: holeMs === undefined ? [] : latenciesWhere((sentAt) => sentAt >= holeMs.toMs + AFTER_HOLE_MS),
    sent: frames.length,
    shown: Math.min(frames.length, pairs.length + untold(pairs.map(({ picture }) => picture))),
    fps: pairs.length / ((toMs - fromMs) / 1000),
  };
}

/** Number of pictures that a video element has shown between those that it reported. */
function untold(pictures: readonly Seen[]): number {
  return gaps(pictures.flatMap(({ presentedFrames }) => presentedFrames ?? [])).reduce(
    (total, step) => total + Math.max(0, step - 1),
    0,
  );
}

/** The compositor may be a picture or two behind the player, and a video element one ahead of what it reported. */
const BEHIND = 2;
const AHEAD = 1;

/** Whether what was read from pixels is what the player said that it showed. */
export function judgePixels(
  checks: readonly StripSample[],
  seen: ReadonlyMap<number, readonly Seen[]>,
): { readonly pixelChecks: number; readonly wrongPixels: number } {
  const isWrong = ({ tile, at, strip }: StripSample): boolean => {
    const before = (seen.get(tile + 1) ?? []).filter((picture) => picture.at <= at);
    const newest = before.reduce((frameSoFar, picture) => Math.max(frameSoFar, frameOf(picture)), 0);
    if (strip?.channel !== tile + 1) return true;
    return strip.frame < newest - BEHIND || strip.frame > newest + AHEAD;
  };
  return { pixelChecks: checks.length, wrongPixels: checks.filter(isWrong).length };
}

export function screenAges(screens: readonly ScreenReading[], sent: ReadonlyMap<number, SentStream>): number[] {
  return screens.flatMap(({ channel, frame, at }) => {
    const sentAt = sent.get(channel)?.times.get(frame);
    return sentAt === undefined ? [] : [at - sentAt];
  });
}
