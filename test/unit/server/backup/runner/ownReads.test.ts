import { expect, it } from 'vitest';
import { readAsPages } from '../../../../../server/backup/runner/ownReads.ts';

type ReadStores = Parameters<typeof readAsPages>[0];

const none = async () => [];

/** `tracks`: the positions of each device; `groups`: their numbers. */
async function readsOf(tracks: readonly number[], groups: readonly number[]) {
  const reads = { tracks: [] as string[], events: [] as unknown[] };
  const stores = {
    ...{ users: { list: none }, roles: { list: none }, settings: { getAll: none } },
    memberGroups: { list: async () => groups.map((serialno) => ({ serialno })) },
    eventList: {
      page: async ({ memberGroup, seesGateway }: Parameters<ReadStores['eventList']['page']>[0]) =>
        void reads.events.push([memberGroup, seesGateway]),
    },
    devices: { list: async () => tracks.map((_, at) => ({ deviceId: String(at) })) },
    positions: {
      between: async (deviceId: string) => {
        reads.tracks.push(deviceId);
        return Array(tracks[Number(deviceId)]).fill({});
      },
    },
  };
  await readAsPages(stores as unknown as ReadStores);
  return reads;
}

it('reads the newest events of each member group, and those that whoever is in none sees', async () => {
  const all = Array.from({ length: 150 }, (_, at) => at + 1);
  const of = (groups: readonly number[]) => [0, ...groups].map((group) => [group, true]);
  expect((await readsOf([], [7, 9])).events).toEqual(of([7, 9]));
  expect((await readsOf([], [])).events).toEqual(of([]));
  expect((await readsOf([], all)).events).toEqual(of(all.slice(0, 100)));
});

it('reads tracks of devices that have one', async () => {
  expect((await readsOf([0, 0, 3], [])).tracks).toEqual(['0', '1', '2']);
  const many = Array.from({ length: 100 }, (_, at) => at % 2);
  expect((await readsOf(many, [])).tracks).toHaveLength(40);
  expect((await readsOf(Array(3_000).fill(0), [])).tracks).toHaveLength(2_000);
});
