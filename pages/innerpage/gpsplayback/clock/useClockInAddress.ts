import { useEffect, useEffectEvent, useRef } from 'react';
import { changeView } from '../view/usePlaybackView.ts';
import type { ClockCourse } from './clockState.ts';
import { useClock } from './useClock.ts';

/** The clock has come to rest when it has not moved for this long. */
const REST_MS = 600;

export interface ClockInAddress {
  readonly course: ClockCourse;
  /** The moment in the address. */
  readonly atMs: number | undefined;
  /** The first moment with something to see; undefined while it isn't known. */
  readonly firstMs: number | undefined;
}

/** The clock runs along the course from where the address says, and the address says where it rests. */
export function useClockInAddress({ course, atMs, firstMs }: ClockInAddress): void {
  const clock = useClock();
  const written = useRef<number>(undefined);
  const { fromMs, toMs } = course;
  useEffect(() => clock.setCourse(course), [clock, course]);
  const arrive = useEffectEvent(() => {
    if (atMs !== undefined && atMs === written.current) return;
    clock.pause();
    clock.seek(atMs ?? firstMs ?? fromMs);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another period, or another moment of the address
  useEffect(() => arrive(), [clock, fromMs, toMs, atMs]);
  const begin = useEffectEvent(() => {
    if (firstMs !== undefined && clock.state.positionMs === fromMs && !clock.state.isPlaying) clock.seek(firstMs);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known
  useEffect(() => begin(), [clock, firstMs]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const write = () => {
      if (clock.state.isPlaying) {
        timer = setTimeout(write, REST_MS);
        return;
      }
      const restMs = Math.floor(clock.state.positionMs);
      written.current = restMs;
      changeView((view) => ({ ...view, atMs: restMs }), 'replace');
    };
    const stop = clock.draw(() => {
      if (!isFirst && !clock.state.isPlaying) clearTimeout(timer);
      if (!isFirst && (timer === undefined || !clock.state.isPlaying)) timer = setTimeout(write, REST_MS);
      isFirst = false;
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [clock]);
}
