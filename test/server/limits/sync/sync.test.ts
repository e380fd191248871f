// How the limits of data sync are reached.
import { expect } from 'vitest';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { LISTED_LIMIT, type ListedRecording } from '../../../../server/store/sync/deviceRecordings.ts';
import { SYNC_ITEMS_LIMIT } from '../../../../server/store/sync/syncItems.ts';
import { SYNC_RULES_LIMIT } from '../../../../server/store/sync/syncRules.ts';
import type { SyncDevice } from '../../../../server/store/sync/syncSources.ts';
import { KNOWN_METHODS_LIMIT, Methods } from '../../../../server/sync/engine/methods.ts';
import { EventClips, WAITING_CLIPS_LIMIT } from '../../../../server/sync/requests/eventClips.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../../support/newTrackedEvent.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import { describeLimits, type LimitCase } from '../describeLimits.ts';
import {
  answerCase,
  eventsCase,
  keptBytesCase,
  listingsCase,
  runsCase,
  uploadBytesCase,
  uploadFilesCase,
} from './fetchingCases.ts';
import { playbackBytesCase } from './playbackCase.ts';

async function openStores(onLimit: OnLimit) {
  const { db } = await openTestDatabase('sqlite');
  const stores = createStores(db, onLimit);
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1 });
  return { stores, memberGroup, incarnation };
}

const rulesCase: LimitCase = {
  limit: SYNC_RULES_LIMIT,
  open: async (onLimit) => {
    const { stores, memberGroup } = await openStores(onLimit);
    const add = () => stores.syncRules.insert({ memberGroup }, { content: aSyncRule(), by: '', atMs: 1 });
    return {
      upTo: async () => {
        for (let at = 0; at < SYNC_RULES_LIMIT.max; at++) expect((await add()).ok).toBe(true);
      },
      beyond: async () => expect(await add()).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

const itemsCase: LimitCase = {
  limit: SYNC_ITEMS_LIMIT,
  open: async (onLimit) => {
    const { stores, incarnation } = await openStores(onLimit);
    const add = (count: number) =>
      stores.syncItems.add(
        Array.from({ length: count }, () => aSyncItem(incarnation)),
        1,
      );
    return {
      upTo: async () => expect(await add(SYNC_ITEMS_LIMIT.max)).toHaveLength(SYNC_ITEMS_LIMIT.max),
      beyond: async () => expect(await add(1)).toEqual([]),
    };
  },
};

const listedCase: LimitCase = {
  limit: LISTED_LIMIT,
  open: async (onLimit) => {
    const { stores, incarnation } = await openStores(onLimit);
    const file = (fromMs: number): ListedRecording => {
      return { channel: 1, fromMs, toMs: fromMs + 1, stream: 'main', alarms: '0', bytes: 1 };
    };
    const window = { incarnation, channel: 1, fromMs: 0, toMs: LISTED_LIMIT.max };
    return {
      upTo: () =>
        stores.listedRecordings.replace(
          window,
          Array.from({ length: LISTED_LIMIT.max }, (_, at) => file(at)),
        ),
      beyond: async () => {
        await stores.listedRecordings.replace({ ...window, fromMs: 500_000, toMs: 600_000 }, [file(500_000)]);
        expect(await stores.listedRecordings.within(incarnation, { fromMs: 0, toMs: 2 })).toHaveLength(1);
      },
    };
  },
};

const methodsCase: LimitCase = {
  limit: KNOWN_METHODS_LIMIT,
  open: (onLimit) => {
    const methods = new Methods({ now: () => 0, onLimit });
    const device = (number: number) => ({ model: `M-${number}` }) as SyncDevice;
    return {
      upTo: () => {
        for (let at = 0; at < KNOWN_METHODS_LIMIT.max; at++) methods.note(device(at), 'playback');
        expect(methods.of(device(0))).toBe('playback');
      },
      beyond: () => {
        methods.note(device(-1), 'playback');
        expect(methods.of(device(0))).toBe('ftp');
      },
    };
  },
};

const clipsCase: LimitCase = {
  limit: WAITING_CLIPS_LIMIT,
  open: (onLimit) => {
    const timers = new ManualTimers();
    const clips = new EventClips({
      directory: { device: () => undefined, ownerOf: () => 1, ownerCount: 1 },
      channelsOf: () => [],
      clipOf: () => ({ beforeS: 1, afterS: 1 }),
      sources: {} as never,
      requests: {} as never,
      events: { withoutClip: async () => [] },
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: () => undefined,
      onLimit,
    });
    const event = { ...newTrackedEvent({ severity: 'critical' }), id: 1 };
    const add = () => clips.eventsStored([{ kind: 'begun', event }]);
    return {
      upTo: () => {
        for (let at = 0; at < WAITING_CLIPS_LIMIT.max; at++) add();
      },
      beyond: () => {
        add();
        expect(clips.waitingCount).toBe(WAITING_CLIPS_LIMIT.max);
      },
    };
  },
};

describeLimits('Data sync', [
  rulesCase,
  itemsCase,
  listedCase,
  methodsCase,
  clipsCase,
  listingsCase,
  answerCase,
  eventsCase,
  runsCase,
  uploadBytesCase,
  uploadFilesCase,
  playbackBytesCase,
  keptBytesCase,
]);
