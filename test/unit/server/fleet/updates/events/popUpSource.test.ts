import { describe, expect, it } from 'vitest';
import { type PlacedPopUp, PopUpSource } from '../../../../../../server/fleet/updates/events/popUpSource.ts';
import { POP_UPS_AT_ONCE } from '../../../../../../shared/protocol/api/liveUpdates.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';

const popUp = (id: number, place: Partial<PlacedPopUp> = {}): PlacedPopUp => ({
  isOfGateway: false,
  deviceGroup: 1,
  ...place,
  popUp: {
    ...{ id, builtInName: 'Speeding', nameEn: '', nameZh: '', nameJp: '' },
    ...{ severity: 'major', deviceName: '', plate: '', beginAtMs: 0 },
  },
});

function start() {
  const timers = new ManualTimers();
  const source = new PopUpSource({ now: timers.now, runAfter: timers.runAfter });
  const feed = source.open({ memberGroup: 7, deviceGroups: new Set([1]) });
  const told: { member: unknown; administrator: unknown; other: unknown }[] = [];
  const idsOf = (bytes: Uint8Array | undefined): unknown =>
    bytes === undefined
      ? undefined
      : (JSON.parse(new TextDecoder().decode(bytes)) as { popUps: { id: number }[] }).popUps.map(({ id }) => id);
  source.onDue(() => {
    const changes = feed.takeChanges();
    told.push({
      member: idsOf(changes(new Set(['popups']))),
      administrator: idsOf(changes(new Set(['popups', 'gateway']))),
      other: idsOf(changes(new Set(['events']))),
    });
  });
  return { source, feed, timers, told };
}

describe('pop-ups', () => {
  it('go to those who see the device, and the gateway’s to administrators', () => {
    const { source, timers, told } = start();
    source.add([popUp(1), popUp(2, { deviceGroup: 2 }), popUp(3, { isOfGateway: true, deviceGroup: undefined })]);
    timers.advance(0);
    expect(told).toEqual([{ member: [1], administrator: [1, 3], other: undefined }]);
  });

  it('are the latest of those that come at once, at most once a second', () => {
    const { source, timers, told } = start();
    for (let id = 1; id <= 30; id++) source.add([popUp(id)]);
    timers.advance(500);
    source.add([popUp(31)]);
    timers.advance(400);
    expect(told).toHaveLength(1);
    expect(told[0]?.member).toEqual(Array.from({ length: POP_UPS_AT_ONCE }, (_, at) => 21 + at));
    timers.advance(100);
    expect(told[1]?.member).toEqual([31]);
  });
});
