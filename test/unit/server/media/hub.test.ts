import { beforeEach, describe, expect, it } from 'vitest';
import type { ChannelKey } from '../../../../server/media/channelKey.ts';
import { Hub } from '../../../../server/media/hub.ts';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { formatPacket, packetOf } from './packets.ts';

const KEY: ChannelKey = { deviceId: 'BUS1', channel: 1, quality: 'main' };

class Recorder {
  readonly got: HubPacket[] = [];
  deliver(packet: HubPacket): void {
    this.got.push(packet);
  }
}

describe('Hub', () => {
  let timers: ManualTimers;
  let requests: string[];
  let hub: Hub;

  beforeEach(() => {
    timers = new ManualTimers();
    requests = [];
    const source = {
      start: ({ channel }: ChannelKey) => requests.push(`start ${channel}`),
      stop: ({ channel }: ChannelKey) => requests.push(`stop ${channel}`),
      keyAwaited: ({ channel }: ChannelKey) => requests.push(`key ${channel}`),
    };
    hub = new Hub({ source, runAfter: timers.runAfter });
  });

  it('asks the source once, however many viewers come', () => {
    for (let viewer = 0; viewer < 100; viewer++) hub.watch(KEY, new Recorder());
    expect(requests.filter((request) => request.startsWith('start'))).toEqual(['start 1']);
  });

  it('releases the source five seconds after the last viewer has gone', () => {
    const first = hub.watch(KEY, new Recorder());
    const second = hub.watch(KEY, new Recorder());
    requests.length = 0;
    first.close();
    timers.advance(60_000);
    expect(requests).toEqual([]);
    second.close();
    timers.advance(4_999);
    expect(requests).toEqual([]);
    timers.advance(1);
    expect(requests).toEqual(['stop 1']);
  });

  it('keeps the source for a viewer who comes back in time', () => {
    hub.watch(KEY, new Recorder()).close();
    timers.advance(4_000);
    hub.watch(KEY, new Recorder());
    timers.advance(60_000);
    expect(requests).toEqual(['start 1', 'key 1']);
  });

  it('counts a subscription that is closed twice once', () => {
    const subscription = hub.watch(KEY, new Recorder());
    hub.watch(KEY, new Recorder());
    subscription.close();
    subscription.close();
    expect(hub.viewerCount(KEY)).toBe(1);
  });

  it('hands a new viewer the video since the last key frame, and no sound', () => {
    hub.watch(KEY, new Recorder());
    const [old, key, sound, delta] = [packetOf('key'), packetOf('key'), packetOf('audio'), packetOf('delta')];
    for (const packet of [old, key, sound, delta]) hub.publish(KEY, packet);
    const late = new Recorder();
    hub.watch(KEY, late);
    expect(late.got).toEqual([key, delta]);
  });

  it('tells a viewer who comes later what the sound is, until the stream breaks off', () => {
    hub.watch(KEY, new Recorder());
    const [old, format, key] = [formatPacket(), formatPacket(), packetOf('key')];
    for (const packet of [old, format, packetOf('audio'), key]) hub.publish(KEY, packet);
    const late = new Recorder();
    hub.watch(KEY, late);
    expect(late.got).toEqual([format, key]);
    expect(late.got[0]).toBe(format);
    hub.interrupt(KEY);
    const later = new Recorder();
    hub.watch(KEY, later);
    expect(later.got).toEqual([]);
  });

  it('hands a viewer the current group again when it asks, and nobody else', () => {
    const other = new Recorder();
    hub.watch(KEY, other);
    const viewer = new Recorder();
    const subscription = hub.watch(KEY, viewer);
    const [key, delta] = [packetOf('key'), packetOf('delta')];
    for (const packet of [packetOf('key'), key, packetOf('audio'), delta]) hub.publish(KEY, packet);
    viewer.got.length = 0;
    subscription.resendGroup();
    expect(viewer.got).toEqual([key, delta]);
    expect(other.got).toHaveLength(4);
    subscription.close();
    subscription.resendGroup();
    expect(viewer.got).toHaveLength(2);
  });

  it('tells the source of viewers who can decode nothing before the next key frame', () => {
    hub.watch(KEY, new Recorder());
    expect(requests).toEqual(['start 1']);
    hub.watch(KEY, new Recorder());
    expect(requests).toEqual(['start 1', 'key 1']);
    hub.publish(KEY, packetOf('key'));
    hub.watch(KEY, new Recorder()).resendGroup();
    expect(requests).toHaveLength(2);
    hub.noteViewerLoss(KEY);
    expect(requests).toEqual(['start 1', 'key 1', 'key 1']);
  });

  it('hands out nothing from before a break in the stream', () => {
    hub.watch(KEY, new Recorder());
    hub.publish(KEY, packetOf('key'));
    hub.interrupt(KEY);
    const late = new Recorder();
    hub.watch(KEY, late);
    expect(late.got).toEqual([]);
  });

  it('forgets a group of pictures that outgrows its bound', () => {
    hub.watch(KEY, new Recorder());
    hub.publish(KEY, packetOf('key', 3_000_000));
    for (let count = 0; count < 3; count++) hub.publish(KEY, packetOf('delta', 3_000_000));
    const late = new Recorder();
    hub.watch(KEY, late);
    expect(late.got).toEqual([]);
  });

  it('knows whose cameras somebody looks at; the recorder is nobody', () => {
    hub.watch(KEY, { deliver: () => undefined, purpose: 'recorder' });
    expect(hub.isWatched('BUS1')).toBe(false);
    const viewer = hub.watch({ ...KEY, channel: 2 }, new Recorder());
    expect([hub.isWatched('BUS1'), hub.isWatched('BUS2')]).toEqual([true, false]);
    viewer.close();
    expect(hub.isWatched('BUS1')).toBe(false);
  });

  it('stops every source when it closes', () => {
    hub.watch(KEY, new Recorder());
    hub.watch({ ...KEY, channel: 2 }, new Recorder()).close();
    hub.close();
    expect(requests).toEqual(['start 1', 'start 2', 'stop 1', 'stop 2']);
    timers.advance(60_000);
    expect(requests).toHaveLength(4);
  });
});
