import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EventRow } from '../../../../../../shared/protocol/api/events.ts';
import {
  actableEvents,
  eventsToOffer,
  eventsToRepeat,
  mergeAnswers,
} from '../../../../../../shared/ui/events/acts/actRequest.ts';
import { doneText, refusalText } from '../../../../../../shared/ui/events/acts/actText.ts';
import { stateText } from '../../../../../../shared/ui/events/eventText.ts';
import { eventRow } from '../../../../../support/eventRow.ts';

beforeAll(async () => {
  // Keys are their English.
  await i18next.init({ lng: 'en', keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } });
});

const reasonName = (code: string) => (code === '' ? '' : `Reason ${code}`);

describe('acts', () => {
  const open = eventRow({ id: 1 });
  const closed = eventRow({ id: 2, status: 'closed', reason: 'real' });
  const refused = (id: number, by: string, event: EventRow | null = eventRow({ id, version: 5 })) =>
    ({ id, failure: event === null ? 'gone' : 'conflict', by, event }) as const;

  it('are done to events whose status allows them, and to no more than one request takes', () => {
    expect(actableEvents('close', [open, closed])).toEqual([open]);
    expect(actableEvents('reopen', [open, closed])).toEqual([closed]);
    expect(
      actableEvents(
        'note',
        Array.from({ length: 600 }, (_, id) => eventRow({ id })),
      ),
    ).toHaveLength(500);
  });

  it('are repeated where only the gateway changed the event, and offered again where a member did', () => {
    const answers = [refused(1, ''), refused(2, 'kai'), refused(3, '', null), refused(4, '', closed)];
    expect(eventsToRepeat('acknowledge', answers).map(({ id }) => id)).toEqual([1]);
    expect(eventsToOffer('acknowledge', answers).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('are told as one when they were repeated', () => {
    const first = { events: [open], refused: [refused(8, ''), refused(9, 'kai')] };
    const merged = mergeAnswers(first, { events: [eventRow({ id: 8 })], refused: [] });
    expect([merged.events.map(({ id }) => id), merged.refused.map(({ id }) => id)]).toEqual([[1, 8], [9]]);
  });

  it('are said to be done, or why not', () => {
    expect([doneText('close', 1), doneText('close', 3), doneText('acknowledge', 0)]).toEqual([
      'Event closed.',
      'Events closed: 3',
      'Events acknowledged: 0',
    ]);
    expect(refusalText(refused(2, 'kai', closed), reasonName)).toBe(
      'kai was first. The event is now: Closed (Reason real).',
    );
    expect(refusalText({ ...refused(2, '', closed), failure: 'not-now' }, reasonName)).toBe(
      'The event has changed. It is now: Closed (Reason real).',
    );
    expect(refusalText(refused(3, '', null), reasonName)).toBe("Event not found, or you don't have access to it.");
    expect(stateText(eventRow({ id: 1, status: 'in-progress', assignee: 'kai' }), reasonName)).toBe(
      'In progress (kai)',
    );
    expect(stateText(open, reasonName)).toBe('New');
  });
});
