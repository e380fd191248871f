import { expect, it } from 'vitest';
import { readLiveUpdate } from '../../../../shared/live/readMessage.ts';

it('messages of the log of notifications are left as they came, and a reload has none', () => {
  const rows = { type: 'notifications', revision: 7, messages: [{ id: 1, from: 'a later gateway' }] };
  expect(readLiveUpdate(JSON.stringify(rows))).toEqual(rows);
  const reload = { type: 'notifications', revision: 8, reload: true };
  expect(readLiveUpdate(JSON.stringify(reload))).toEqual({ type: 'notifications', revision: 8, messages: undefined });
  expect(readLiveUpdate('{"type":"notifications","revision":"x","messages":7}')).toEqual({
    type: 'notifications',
    revision: 0,
    messages: undefined,
  });
});
