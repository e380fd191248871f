import { describe, expect, it } from 'vitest';
import { EventRowSource } from '../../../../../../server/fleet/updates/events/eventRowSource.ts';
import { ROWS_A_MESSAGE } from '../../../../../../server/fleet/updates/rows/rowSource.ts';
import type { TopicFeed, Topics } from '../../../../../../server/fleet/updates/topicSource.ts';
import type { EventRow } from '../../../../../../shared/protocol/api/events.ts';
import { eventRow } from '../../../../../support/eventRow.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';

const MEMBER: Topics = new Set(['events']);
const ADMINISTRATOR: Topics = new Set(['events', 'gateway']);
const ROWS = [
  eventRow({ id: 1, group: 1 }),
  eventRow({ id: 2, group: 2 }),
  eventRow({ id: 3, group: 0, deviceid: '' }),
] as const;

function start({ rowsOf }: { readonly rowsOf?: (ids: readonly number[]) => Promise<EventRow[]> } = {}) {
  const timers = new ManualTimers();
  const faults: Error[] = [];
  const source = new EventRowSource({
    now: timers.now,
    runAfter: timers.runAfter,
    firstRevision: 1,
    store: { rowsOf: rowsOf ?? (async (ids) => ROWS.filter(({ id }) => ids.includes(id))) },
    onFault: (error) => void faults.push(error),
  });
  const told: { member: unknown; administrator: unknown }[] = [];
  const feed = source.open({ memberGroup: 7, deviceGroups: new Set([1]) });
  source.onDue(() => {
    const changes = feed.takeChanges();
    told.push({ member: read(changes(MEMBER)), administrator: read(changes(ADMINISTRATOR)) });
  });
  const settle = async () => {
    timers.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { source, feed, told, faults, settle };
}

function read(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

const revisionOf = (feed: TopicFeed) => (read(feed.snapshot?.(MEMBER)) as { revision: number }).revision;

describe('events on open pages', () => {
  it('are those of the devices that are seen, and the gateway’s for administrators', async () => {
    const { source, told, settle } = start();
    source.changed([1, 2, 3]);
    await settle();
    expect(told).toEqual([
      {
        member: { type: 'events', revision: expect.any(Number), events: [ROWS[0]] },
        administrator: { type: 'events', revision: expect.any(Number), events: [ROWS[0], ROWS[2]] },
      },
    ]);
  });

  it('leave a page alone whose list is up to date', async () => {
    const { source, feed, told, settle } = start();
    source.changed([1]);
    await settle();
    const revision = revisionOf(feed);
    expect(told[0]?.member).toMatchObject({ revision });
    source.changed([2]);
    await settle();
    expect(told[1]).toEqual({ member: undefined, administrator: undefined });
    expect(revisionOf(feed)).toBe(revision);
  });

  it('make a page load its list that comes from another member group, open already or not', async () => {
    const { source, feed, settle } = start();
    const other = source.open({ memberGroup: 8, deviceGroups: new Set([1]) });
    expect(revisionOf(other)).not.toBe(revisionOf(feed));
    source.changed([1]);
    await settle();
    expect(revisionOf(other)).not.toBe(revisionOf(feed));
    source.reload();
    await settle();
    expect(revisionOf(other)).not.toBe(revisionOf(feed));
  });

  it('make pages load their lists when very many change, and when devices change groups', async () => {
    const { source, told, settle } = start();
    source.changed(Array.from({ length: ROWS_A_MESSAGE + 1 }, (_, id) => id));
    await settle();
    source.reload();
    await settle();
    expect(told.map(({ member }) => member)).toMatchObject([{ reload: true }, { reload: true }]);
  });

  it('make pages load their lists when the database fails, which is reported', async () => {
    const { source, told, faults, settle } = start({ rowsOf: () => Promise.reject(new Error('away')) });
    source.changed([1]);
    await settle();
    expect(told.map(({ member }) => member)).toMatchObject([{ reload: true }]);
    expect(faults).toHaveLength(1);
  });

  it('that nobody looked on at make a page that comes back load its list', async () => {
    const { source, feed, settle } = start();
    const before = revisionOf(feed);
    feed.close();
    source.changed([1]);
    await settle();
    expect(revisionOf(source.open({ memberGroup: 7, deviceGroups: new Set([1]) }))).not.toBe(before);
  });
});
