import { describe, expect, it } from 'vitest';
import { topicsFor } from '../../../../server/app/fleet.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';

const EVERYBODY = ['server', 'devices', 'counts', 'changed', 'fences'];

describe('topicsFor', () => {
  it('tells of notifications only members with both permissions (S-1.4)', () => {
    expect(topicsFor(['system', 'eventnotifyconfig']).has('notifications')).toBe(true);
    expect(topicsFor(['system']).has('notifications')).toBe(false);
    expect(topicsFor(['event', 'eventnotifyconfig']).has('notifications')).toBe(false);
  });

  it('tells of events only members with `event`, and of the gateway’s own those with `system` too', () => {
    expect([...topicsFor([])]).toEqual(EVERYBODY);
    expect(topicsFor(['event'])).toEqual(new Set([...EVERYBODY, 'events', 'eventcounts', 'popups']));
    expect(topicsFor(['event', 'system']).has('gateway')).toBe(true);
    expect(topicsFor(['system', 'eventnotifyconfig']).has('gateway')).toBe(false);
  });

  it.each([
    ['fwupdate', 'firmware'],
    ['datasync', 'sync'],
    ['netflow', 'netflow'],
  ])('tells only members with `%s` of %s', (permission, topic) => {
    expect(topicsFor([permission])).toEqual(new Set([...EVERYBODY, topic]));
    const others = Object.values(Permission).filter((other) => other !== permission);
    expect([...topicsFor(others)]).not.toContain(topic);
  });

  it('tells of backups only members with both permissions (S-1.4)', () => {
    expect(topicsFor(['system', 'sysbackup'])).toEqual(new Set([...EVERYBODY, 'backups']));
    const without = (permission: string) => Object.values(Permission).filter((other) => other !== permission);
    for (const one of ['system', 'sysbackup']) expect(topicsFor(without(one)).has('backups')).toBe(false);
  });

  it('tells everybody of geofences, and of reports only members with `report`', () => {
    expect(topicsFor(['report'])).toEqual(new Set([...EVERYBODY, 'reports']));
    expect(topicsFor(['system', 'event']).has('reports')).toBe(false);
  });
});
