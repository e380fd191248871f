// What a member group's pages are told: the feed, a viewer that keeps up or does not, and the clock over both.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { differenceOf } from '../../../../../server/fleet/deviceRow.ts';
import type { BoardChange } from '../../../../../server/fleet/fleetBoard.ts';
import { BoardFeed } from '../../../../../server/fleet/updates/boardFeed.ts';
import { LiveUpdates } from '../../../../../server/fleet/updates/liveUpdates.ts';
import {
  type DueFor,
  encode,
  type GroupScope,
  type TopicFeed,
  type TopicSource,
  type TopicSources,
  type Topics,
} from '../../../../../server/fleet/updates/topicSource.ts';
import { HELD_BYTES_LIMIT, UpdateViewer } from '../../../../../server/fleet/updates/updateViewer.ts';
import {
  LIVE_TOPICS,
  type LiveDevice,
  type LiveUpdate,
  NO_ALARM,
  parseLiveRequest,
} from '../../../../../shared/protocol/api/liveUpdates.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { EVERY_TOPIC, type FleetSources, fleetSources } from '../../../../support/fleetSources.ts';

const row = (id: string, fields: Partial<LiveDevice> = {}): LiveDevice => ({
  id,
  name: id,
  plate: '',
  terminal: '',
  group: 1,
  groupName: 'G',
  chn: 1,
  state: 'online',
  isMoving: false,
  ...NO_ALARM,
  videoLoss: false,
  at: 0,
  seenAt: 0,
  lat: null,
  lng: null,
  speedKmh: 0,
  heading: 0,
  ...fields,
});
const change = (before: LiveDevice | undefined, after: LiveDevice | undefined): BoardChange => ({
  before,
  after,
  difference: before === undefined || after === undefined ? undefined : differenceOf(before, after),
});
const ALL = new Set(LIVE_TOPICS);
const EDITED = encode({ type: 'changed', records: ['device'] });
const NORTH = { memberGroup: 7, deviceGroups: new Set([1]) };
const read = (bytes: Uint8Array | undefined): LiveUpdate | undefined =>
  bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as LiveUpdate);

/** Where a viewer's messages go; `heldBytes` is what the test says. */
class RecordingSink {
  heldBytes = 0;
  readonly sent: (LiveUpdate | undefined)[] = [];
  send(message: Uint8Array): void {
    this.sent.push(read(message));
  }
}

describe('a feed', () => {
  const a = row('A');
  const other = row('X', { group: 2 });
  let feed: BoardFeed;
  beforeEach(() => {
    feed = new BoardFeed(NORTH, [a, other]);
  });

  it('shows the devices of its groups and no other', () => {
    expect(read(feed.snapshot(ALL))).toMatchObject({ type: 'snapshot', devices: [{ id: 'A' }], counts: { total: 1 } });
    feed.take([change(other, { ...other, speedKmh: 9 })]);
    expect(feed.takeChanges()(ALL)).toBeUndefined();
  });

  it('tells only what changed, several changes as one, once', () => {
    const faster = { ...a, speedKmh: 10, isMoving: true };
    feed.take([change(a, faster)]);
    feed.take([change(faster, { ...faster, speedKmh: 12 })]);
    expect(read(feed.takeChanges()(ALL))).toEqual({
      type: 'changes',
      devices: [{ id: 'A', speedKmh: 12, isMoving: true }],
      removed: [],
      counts: feed.counts,
    });
    expect(feed.takeChanges()(ALL)).toBeUndefined();
  });

  it('tells a value that came back to what it was: a page may have joined between', () => {
    const alarm = { ...a, inAlarm: true };
    feed.take([change(a, alarm)]);
    feed.take([change(alarm, a)]);
    expect(read(feed.takeChanges()(ALL))).toMatchObject({ devices: [{ id: 'A', inAlarm: false }] });
  });

  it('tells of a device that is moved in whole, and of one that is moved out as removed', () => {
    feed.take([change(other, { ...other, group: 1 }), change(a, { ...a, group: 2 })]);
    const message = read(feed.takeChanges()(ALL));
    expect(message).toMatchObject({ devices: [{ id: 'X', name: 'X', group: 1 }], removed: ['A'] });
    feed.take([change({ ...a, group: 2 }, a)]);
    expect(read(feed.takeChanges()(ALL))).toMatchObject({ devices: [{ id: 'A', name: 'A' }], removed: [] });
  });

  it('makes one text for all pages with the same topics', () => {
    feed.take([change(a, { ...a, speedKmh: 3 })]);
    const changes = feed.takeChanges();
    expect(changes(ALL)).toBe(changes(new Set(LIVE_TOPICS)));
    expect(read(changes(new Set(['counts'] as const)))).not.toHaveProperty('devices');
    expect(changes(new Set(['changed'] as const))).toBeUndefined();
    expect(feed.snapshot(ALL)).toBe(feed.snapshot(ALL));
  });
});

describe('a viewer', () => {
  const a = row('A');
  /** The device has this speed now, and, where it is given, records were edited. */
  const dueAt = (speedKmh: number, edited?: Uint8Array<ArrayBuffer>): DueFor => {
    feed.take([change(a, { ...a, speedKmh })]);
    const board = { snapshot: feed.snapshot.bind(feed), changes: feed.takeChanges() };
    const records = { snapshot: undefined, changes: () => edited };
    return (topics) => (topics.size === 0 ? [] : [board, records]);
  };
  let feed: BoardFeed;
  let sink: RecordingSink;
  let viewer: UpdateViewer;
  beforeEach(() => {
    feed = new BoardFeed(NORTH, [a]);
    sink = new RecordingSink();
    viewer = new UpdateViewer(sink);
    viewer.allow(EVERY_TOPIC);
  });

  it('gets nothing until it says what it wants, then everything, then changes', () => {
    viewer.update(dueAt(1));
    expect(sink.sent).toEqual([]);
    viewer.watch(LIVE_TOPICS);
    viewer.update(dueAt(2));
    viewer.update(dueAt(3));
    expect(sink.sent).toMatchObject([
      { type: 'snapshot', devices: [{ id: 'A', speedKmh: 2 }] },
      { type: 'changes', devices: [{ id: 'A', speedKmh: 3 }] },
    ]);
  });

  it('that does not keep up is sent nothing more, and a snapshot when it has caught up', () => {
    viewer.watch(LIVE_TOPICS);
    viewer.update(dueAt(1));
    sink.heldBytes = HELD_BYTES_LIMIT.max + 1;
    viewer.update(dueAt(2, EDITED));
    sink.heldBytes = HELD_BYTES_LIMIT.max / 2;
    viewer.update(dueAt(3));
    expect(sink.sent).toHaveLength(1);
    sink.heldBytes = 0;
    viewer.update(dueAt(4));
    expect(sink.sent.slice(1)).toMatchObject([{ type: 'snapshot', devices: [{ speedKmh: 4 }] }]);
  });

  it('that has not caught up yet is told what no snapshot makes up for', () => {
    viewer.watch(LIVE_TOPICS);
    viewer.update(dueAt(1));
    sink.heldBytes = HELD_BYTES_LIMIT.max + 1;
    viewer.update(dueAt(2));
    sink.heldBytes = HELD_BYTES_LIMIT.max / 2;
    viewer.update(dueAt(3, EDITED));
    expect(sink.sent.slice(1)).toEqual([{ type: 'changed', records: ['device'] }]);
  });
});

/** A topic as a later subject would add it: it counts something that is no device. */
class TallySource implements TopicSource {
  tally = 0;
  openCount = 0;
  /** The device groups of each scope that it was given. */
  readonly scopes: number[][] = [];

  open({ deviceGroups }: GroupScope): TopicFeed {
    this.openCount++;
    this.scopes.push([...deviceGroups]);
    let told = this.tally;
    return {
      snapshot: () => encode({ tally: this.tally }),
      takeChanges: () => {
        const more = this.tally - told;
        told = this.tally;
        return () => (more === 0 ? undefined : encode({ more }));
      },
      reset: (scope) => void this.scopes.push([...scope.deviceGroups]),
      close: () => void this.openCount--,
    };
  }
}

describe('what a member may be told of', () => {
  it('is told, and nothing else, also when that changes', () => {
    const tally = (topics: Topics) => encode({ tally: [...topics] });
    const dueFor: DueFor = () => [{ snapshot: tally, changes: () => undefined }];
    const sink = new RecordingSink();
    const viewer = new UpdateViewer(sink);
    viewer.watch(['counts', 'events']);
    viewer.allow(new Set(['counts']));
    viewer.update(dueFor);
    viewer.update(dueFor);
    viewer.allow(new Set(['events', 'counts', 'gateway']));
    viewer.update(dueFor);
    expect(sink.sent).toEqual([{ tally: ['counts'] }, { tally: ['counts', 'events', 'gateway'] }]);
  });
});

/** Tells when it likes. */
class PromptSource implements TopicSource {
  deliver: () => void = () => undefined;
  said = 0;

  onDue(deliver: () => void): void {
    this.deliver = deliver;
  }

  open(): TopicFeed {
    return {
      snapshot: () => encode({ all: this.said }),
      takeChanges: () => () => encode({ said: this.said }),
      reset: () => undefined,
      close: () => undefined,
    };
  }
}

describe('live updates', () => {
  let timers: ManualTimers;
  let pending: BoardChange[];
  let rows: LiveDevice[];
  let owned: Record<number, readonly number[]>;
  let updates: LiveUpdates;
  let drains: number;
  let fleet: FleetSources;
  beforeEach(() => {
    timers = new ManualTimers();
    pending = [];
    rows = [row('A'), row('X', { group: 2 })];
    owned = { 7: [1], 8: [2] };
    drains = 0;
    const board = {
      get rows() {
        return rows;
      },
      drain: () => {
        drains++;
        return pending.splice(0);
      },
    };
    fleet = fleetSources(board);
    updates = openUpdates(fleet.sources);
  });

  function openUpdates(sources: TopicSources): LiveUpdates {
    return new LiveUpdates({
      sources,
      deviceGroupsOf: async (group) => owned[group] ?? [],
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
    });
  }

  async function join(memberGroup: number | undefined) {
    const sink = new RecordingSink();
    const viewer = new UpdateViewer(sink);
    viewer.allow(EVERY_TOPIC);
    viewer.watch(LIVE_TOPICS);
    const leave = await updates.join(memberGroup, viewer);
    updates.begin(memberGroup, viewer);
    return { sink, leave };
  }

  it('send at most one message a second, however much changes, and drain once for all groups', async () => {
    const north = await join(7);
    const south = await join(8);
    drains = 0;
    for (let at = 0; at < 10; at++) {
      pending.push(change(row('A', { speedKmh: at }), row('A', { speedKmh: at + 1 })));
      timers.advance(100);
    }
    expect(north.sink.sent).toMatchObject([{ type: 'snapshot' }, { type: 'changes', devices: [{ speedKmh: 10 }] }]);
    expect(south.sink.sent).toMatchObject([{ type: 'snapshot', devices: [{ id: 'X' }] }]);
    expect(drains).toBe(1);
  });

  it('of a source with times of its own come when it says, and with the snapshot', async () => {
    const prompt = new PromptSource();
    updates = openUpdates({ ...fleet.sources, events: prompt });
    const { sink } = await join(7);
    prompt.said = 1;
    prompt.deliver();
    timers.advance(1_000);
    expect(sink.sent.slice(1)).toEqual([{ all: 0 }, { said: 1 }]);
    owned = { 7: [2] };
    timers.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    prompt.deliver();
    timers.advance(1_000);
    expect(sink.sent.slice(3)).toMatchObject([{ type: 'snapshot' }, { all: 1 }]);
  });

  it('show nobody anything without a group', async () => {
    const { sink } = await join(undefined);
    expect(sink.sent).toMatchObject([{ type: 'snapshot', devices: [], counts: { total: 0 } }]);
  });

  it('show a new snapshot within two seconds of the group owning other devices', async () => {
    const { sink } = await join(7);
    owned[7] = [2];
    timers.advance(2_000);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    timers.advance(1_000);
    expect(sink.sent.at(-1)).toMatchObject({ type: 'snapshot', devices: [{ id: 'X' }] });
  });

  it('tell which records were edited, each kind once a tick', async () => {
    const { sink } = await join(7);
    fleet.records.changed(['device', 'group']);
    fleet.records.changed(['device']);
    timers.advance(1_000);
    expect(sink.sent.slice(1)).toEqual([{ type: 'changed', records: ['device', 'group'] }]);
    timers.advance(1_000);
    expect(sink.sent).toHaveLength(2);
  });

  it('have a place for another topic: a source of its own, with its own messages beside the others', async () => {
    const source = new TallySource();
    updates = openUpdates({ ...fleet.sources, counts: source });
    const { sink } = await join(7);
    expect(sink.sent).toEqual([expect.objectContaining({ type: 'snapshot', devices: [row('A')] }), { tally: 0 }]);
    source.tally = 3;
    timers.advance(1_000);
    expect(sink.sent.slice(2)).toEqual([{ more: 3 }]);
    owned[7] = [1, 2];
    timers.advance(1_000);
    await vi.waitFor(() => expect(source.scopes.at(-1)).toEqual([1, 2]));
    timers.advance(1_000);
    expect(sink.sent.slice(3)).toEqual([expect.objectContaining({ type: 'snapshot' }), { tally: 3 }]);
  });

  it('ask a source only while a page of the group looks on', async () => {
    const source = new TallySource();
    updates = openUpdates({ ...fleet.sources, counts: source });
    const { leave } = await join(7);
    expect(source.openCount).toBe(1);
    leave();
    leave();
    expect(source.openCount).toBe(0);
  });

  it('rest when nobody looks on', async () => {
    const { leave } = await join(7);
    leave();
    timers.advance(1_000);
    expect(timers.pending).toBe(0);
    expect(updates.viewerCount).toBe(0);
  });
});

describe('what a page asks for', () => {
  it('is a list of topics; what is no topic is left out, what is no message is none', () => {
    expect(parseLiveRequest('{"type":"watch","topics":["counts","other"]}')).toEqual({
      type: 'watch',
      topics: ['counts'],
    });
    for (const text of ['', '[]', '{"type":"watch"}', '{"type":"look","topics":[]}', 'null']) {
      expect(parseLiveRequest(text)).toBeUndefined();
    }
  });
});
