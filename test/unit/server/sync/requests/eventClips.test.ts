import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import type { MissedClip, MissedClipQuery, SyncDevice } from '../../../../../server/store/sync/syncSources.ts';
import { EventClips, WAITING_CLIPS_LIMIT } from '../../../../../server/sync/requests/eventClips.ts';
import type { EventRequest } from '../../../../../server/sync/requests/syncRequests.ts';
import type { TimeRange } from '../../../../../shared/protocol/timeRanges.ts';
import type { DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../../../support/newTrackedEvent.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const BEGIN_MS = 50_000_000;
const CLIP = { fromMs: BEGIN_MS - 10_000, toMs: BEGIN_MS + 20_000 };

describe('recordings that events lack (S-2.4.8)', () => {
  let timers: ManualTimers;
  let clips: EventClips;
  let device: SyncDevice | undefined;
  /** By incarnation, from 100 on: those of another member group. */
  let others: Map<number, SyncDevice>;
  let here: Map<number, readonly TimeRange[]>;
  let requests: EventRequest[];
  let faults: string[];
  let isBroken: boolean;
  let isUnread: boolean;
  let missed: MissedClip[];
  let queries: MissedClipQuery[];
  beforeEach(() => {
    timers = new ManualTimers();
    device = { deviceId: 'BUS1', incarnation: 1, disabled: false } as SyncDevice;
    [here, others] = [new Map(), new Map()];
    [requests, faults, isBroken] = [[], [], false];
    [missed, queries, isUnread] = [[], [], false];
    clips = new EventClips({
      directory: {
        device: (incarnation) => (incarnation === 1 ? device : others.get(incarnation)),
        ownerOf: ({ incarnation }) => Math.floor(incarnation / 100) + 1,
        get ownerCount() {
          return others.size === 0 ? 1 : 2;
        },
      },
      channelsOf: () => [1, 2],
      clipOf: () => ({ beforeS: 10, afterS: 20 }),
      sources: {
        here: async () => here,
        clockOf: async () => ({ toGateway: (ms: number) => ms + 3_000 }) as unknown as DeviceClock,
      },
      requests: {
        forEvent: async (request) => {
          if (isBroken) throw new Error('the database is away');
          requests.push(request);
          return [1];
        },
      },
      events: {
        withoutClip: async (query) => {
          queries.push(query);
          if (isUnread) throw new Error('the database is away');
          const { fromMs, toMs, afterId, limit } = query;
          const found = missed.filter(
            ({ beginAtMs, eventId }) =>
              beginAtMs < toMs && (beginAtMs > fromMs || (beginAtMs === fromMs && eventId > afterId)),
          );
          return found.slice(0, limit);
        },
      },
      now: () => BEGIN_MS + timers.now(),
      runAfter: timers.runAfter,
      onFault: ({ message }) => void faults.push(message),
      onLimit: () => undefined,
    });
  });
  afterEach(() => clips.close());

  function begin(change: Partial<TrackedEvent> = {}, id = 5): void {
    const event = { ...newTrackedEvent({ severity: 'major', beginAtMs: BEGIN_MS, isLate: false, ...change }), id };
    clips.eventsStored([{ kind: 'begun', event }]);
  }

  /** Beyond the clip and the two minutes in which the server's own recording is stored. */
  async function later(): Promise<void> {
    await waitFor('their time has come', () => {
      timers.advance(15_000);
      return clips.waitingCount === 0;
    });
    await waitFor('the round is over, and the next one planned', () => timers.pending > 0);
  }

  it('are asked for once the own ones are stored, of each camera', async () => {
    begin();
    timers.advance(139_000);
    expect([clips.waitingCount, requests.length]).toEqual([1, 0]);
    await later();
    expect(requests).toEqual([{ device, channels: [1, 2], eventId: 5, ...CLIP }]);
  });

  it('are of the channel that the event is about', async () => {
    here.set(1, [CLIP]);
    begin({ type: 'video-loss', unit: 2 });
    await later();
    expect(requests.map(({ channels }) => channels)).toEqual([[2]]);
  });

  it('are not asked for where one camera shows the whole vehicle, up to some seconds', async () => {
    here.set(2, [{ ...CLIP, fromMs: CLIP.fromMs + 2_000 }]);
    begin();
    await later();
    expect(requests).toEqual([]);
  });

  it("are looked for at the gateway's time of an event that was reported late", async () => {
    begin({ isLate: true });
    await later();
    expect(requests).toMatchObject([{ fromMs: CLIP.fromMs + 3_000, toMs: CLIP.toMs + 3_000 }]);
  });

  it.each([
    ['an event of less severity', () => begin({ severity: 'minor' })],
    ['an event of no device', () => begin({ device: undefined })],
  ] as const)('are not asked for by %s', (_what, report) => {
    report();
    expect(clips.waitingCount).toBe(0);
  });

  it('of one member group leave room for those of another', () => {
    const other = { deviceId: 'BUS100', incarnation: 100, disabled: false } as SyncDevice;
    others.set(100, other);
    for (let id = 1; id <= WAITING_CLIPS_LIMIT.max; id++) begin({}, id);
    expect(clips.waitingCount).toBe(1_500);
    const bus = newTrackedEvent().device;
    begin({ device: bus && { ...bus, incarnation: 100 } }, 9_999);
    expect(clips.waitingCount).toBe(1_501);
  });

  it('give their places back', async () => {
    others.set(100, { deviceId: 'BUS100', incarnation: 100, disabled: false } as SyncDevice);
    for (let id = 1; id <= WAITING_CLIPS_LIMIT.max; id++) begin({}, id);
    await later();
    for (let id = 1; id <= WAITING_CLIPS_LIMIT.max; id++) begin({}, id);
    expect(clips.waitingCount).toBe(1_500);
  });

  it('are not asked of a device that is gone or disabled meanwhile', async () => {
    begin();
    device = undefined;
    await later();
    expect(requests).toEqual([]);
  });

  describe('of events from before a start', () => {
    const earlier = (eventId: number, change: Partial<MissedClip> = {}): MissedClip => {
      const beginAtMs = BEGIN_MS - 60_000;
      return { eventId, incarnation: 1, type: 'collision', unit: 0, beginAtMs, isLate: false, ...change };
    };

    it('are asked for like those of later ones', async () => {
      missed = [earlier(3)];
      begin();
      await waitFor('they are read', () => {
        timers.advance(15_000);
        return clips.waitingCount === 2;
      });
      await later();
      await waitFor('both are asked for', () => requests.length === 2);
      const [live, early] = [BEGIN_MS, BEGIN_MS - 60_000].map((atMs) => atMs - 10_000);
      expect(new Map(requests.map(({ eventId, fromMs }) => [eventId, fromMs]))).toEqual(
        new Map([
          [5, live],
          [3, early],
        ]),
      );
      expect(queries).toEqual([{ fromMs: BEGIN_MS - 86_400_000, toMs: BEGIN_MS, afterId: 0, limit: 500 }]);
    });

    it('are read in parts, each of them once', async () => {
      missed = Array.from({ length: 1_200 }, (_, at) => earlier(at + 1));
      await waitFor('they are read', () => {
        timers.advance(5_000);
        return clips.waitingCount === missed.length;
      });
      expect(queries.map(({ afterId }) => afterId)).toEqual([0, 500, 1_000]);
    });

    it('are read later where they could not be', async () => {
      isUnread = true;
      missed = [earlier(3)];
      await waitFor('it is told', () => {
        timers.advance(5_000);
        return faults.length === 1;
      });
      isUnread = false;
      await waitFor('they are read', () => {
        timers.advance(5_000);
        return clips.waitingCount === 1;
      });
    });
  });

  it('of one event that fails do not hold up those of the next', async () => {
    isBroken = true;
    begin();
    await later();
    await waitFor('it is told', () => faults.length === 1);
    isBroken = false;
    begin({}, 6);
    await waitFor('it is asked for', () => {
      timers.advance(15_000);
      return requests.length === 1;
    });
    expect(requests[0]?.eventId).toBe(6);
  });
});
